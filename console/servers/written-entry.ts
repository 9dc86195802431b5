import type { ServerEntryInput, ShownServerEntry, ShownValue } from '../../src/console-api/contract.ts'
import { isSame, mergeWritten } from '../parts/merge-written.ts'

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
  return {
    ...nothing,
    command,
    args: args.some((argument) => /^$|[\r\n]/u.test(argument)) ? JSON.stringify(args, undefined, 2) : args.join('\n'),
    cwd,
    values: env.map(({ name, value }) => line(name, value, '=')).join('\n'),
  }
}

/** What a person changed, on top of what another window or hand made of the entry meanwhile; a part that cannot be written in is as it stands there. */
export function mergeEntry(written: WrittenEntry, was: ShownServerEntry | undefined, is: ShownServerEntry | undefined): WrittenEntry {
  const [now, fixed] = [writtenEntry(is), unshowable(is)]
  const merged = mergeWritten(written, writtenEntry(was), now)
  return { ...merged, ...(fixed.args && { args: now.args }), ...(fixed.values && merged.kind === is?.kind && { values: now.values }) }
}

/** What goes to the desk: a part that nobody touched as it was, and a name alone keeps the value that the config has. */
export function entryOf(written: WrittenEntry, before?: ShownServerEntry): ServerEntryInput {
  const shown = writtenEntry(before)
  const { kind, command, args, cwd, url, values } = written
  const isKept = (part: keyof WrittenEntry): boolean => before?.kind === kind && written[part] === shown[part]
  if (kind === 'http') {
    const had = before?.kind === 'http' ? before : undefined
    return { kind, url: had && isKept('url') ? had.url : url.trim(), headers: had && isKept('values') ? had.headers : valuesOf(values, ':') }
  }
  const had = before?.kind === 'stdio' ? before : undefined
  const folder = had && isKept('cwd') ? had.cwd : cwd.trim() || undefined
  return {
    kind,
    command: had && isKept('command') ? had.command : command.trim(),
    args: had && isKept('args') ? had.args : linesOf(args),
    env: had && isKept('values') ? had.env : valuesOf(values, '='),
    ...(folder !== undefined && { cwd: folder }),
  }
}

/** Which fields would not give back what they show: with an empty argument, one of several lines, or a name that is no name. They are not to be written in. */
export function unshowable(entry: ShownServerEntry | undefined): { readonly args: boolean; readonly values: boolean } {
  if (entry === undefined) return { args: false, values: false }
  const written = writtenEntry(entry)
  const [had, between] = entry.kind === 'http' ? [entry.headers, ':'] : [entry.env, '=']
  return {
    args: entry.kind === 'stdio' && (!isSame(linesOf(written.args), entry.args) || entry.args.some((argument) => argument.includes('\r'))),
    values: !isSame(valuesOf(written.values, between), had),
  }
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
