import type { ServerEntryInput, ShownServerEntry, ShownValue } from '../../src/console-api/contract.ts'

/** An entry as it stands in the fields of a form. */
export interface WrittenEntry {
  readonly kind: 'stdio' | 'http'
  readonly command: string
  /** One a line. */
  readonly args: string
  readonly cwd: string
  readonly url: string
  /** Environment or headers, one a line. */
  readonly values: string
}

const nothing: WrittenEntry = { kind: 'stdio', command: '', args: '', cwd: '', url: '', values: '' }

/** What is in the config, to be edited. A value that is not shown stands there as its name alone. */
export function writtenEntry(entry: ShownServerEntry | undefined): WrittenEntry {
  if (entry === undefined) return nothing
  if (entry.kind === 'http')
    return { ...nothing, kind: 'http', url: entry.url, values: entry.headers.map(({ name, value }) => line(name, value, ': ')).join('\n') }
  const { command, args, cwd = '', env } = entry
  return { ...nothing, command, args: args.join('\n'), cwd, values: env.map(({ name, value }) => line(name, value, '=')).join('\n') }
}

/** What goes to the desk; a name alone keeps the value that the config has. */
export function entryOf({ kind, command, args, cwd, url, values }: WrittenEntry): ServerEntryInput {
  if (kind === 'http') return { kind, url: url.trim(), headers: valuesOf(values, ':') }
  return { kind, command: command.trim(), args: linesOf(args), env: valuesOf(values, '='), ...(cwd.trim() !== '' && { cwd: cwd.trim() }) }
}

function line(name: string, value: string | undefined, between: string): string {
  return value === undefined ? name : name + between + value
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((one) => one !== '')
}

function valuesOf(text: string, between: string): readonly ShownValue[] {
  return linesOf(text).map((one) => {
    const place = one.indexOf(between)
    return place < 0 ? { name: one.trim() } : { name: one.slice(0, place).trim(), value: between === ':' ? one.slice(place + 1).trim() : one.slice(place + 1) }
  })
}
