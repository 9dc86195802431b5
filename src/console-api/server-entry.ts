import { ConsentryError } from '../errors.ts'
import type { ServerEntry } from '../policy/index.ts'
import type { ConnectionOrigin, JsonObject } from '../protocol/index.ts'
import type { CallBody } from './call-body.ts'
import type { Enforcement, ShownServerEntry, ShownValue } from './contract.ts'

const MASK = '…'
/** What only names a variable is no secret itself. */
const REFERENCE = /^(?:Bearer |Basic )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/

/** A server's entry for people's eyes: values that could be secrets stay here. */
export function showEntry(entry: ServerEntry): ShownServerEntry {
  if (entry.kind === 'http') return { kind: 'http', url: entry.url, headers: showValues(entry.headers), disabled: entry.disabled }
  const { command, args, env, cwd, disabled, wishes } = entry
  const sandbox = wishes?.sandbox && (wishes.sandbox.isOffline ? 'roots,offline' : 'roots')
  return { kind: 'stdio', command, args, env: showValues(env), cwd, disabled, sandbox }
}

/** An entry as a person wrote it, as it stands in the config; values that were not shown are those of the entry before. @throws ConsentryError `USAGE` */
export function readEntry(body: CallBody, before: ServerEntry | undefined): JsonObject {
  const kind = body.oneOf('kind', ['stdio', 'http'])
  if (kind === 'http') return withoutEmpty({ url: body.text('url'), headers: readValues(body, 'headers', before?.kind === 'http' ? before.headers : {}) })
  const args = body.list('args').map((argument) => {
    if (typeof argument !== 'string') throw new ConsentryError('USAGE', '"args" has to be a list of texts.')
    return argument
  })
  const env = readValues(body, 'env', before?.kind === 'stdio' ? before.env : {})
  return withoutEmpty({ command: body.text('command'), args, env, cwd: body.optionalText('cwd') })
}

/** An entry as the config has it, in the words of the config. */
export function entryJson(entry: ServerEntry): JsonObject {
  const disabled = entry.disabled || undefined
  if (entry.kind === 'http') return withoutEmpty({ url: entry.url, headers: { ...entry.headers }, disabled })
  return withoutEmpty({ command: entry.command, args: entry.args, env: { ...entry.env }, cwd: entry.cwd, disabled })
}

/** What is written, for people's eyes. */
export function maskedText(name: string, entry: JsonObject): string {
  const masked = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, key === 'env' || key === 'headers' ? maskValues(value as Readonly<Record<string, string>>) : value]),
  )
  return `${JSON.stringify(name)}: ${JSON.stringify(masked, undefined, 2)}`
}

function showValues(values: Readonly<Record<string, string>>): readonly ShownValue[] {
  return Object.entries(values).map(([name, value]) => (REFERENCE.test(value) ? { name, value } : { name }))
}

function maskValues(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, REFERENCE.test(value) ? value : MASK]))
}

function readValues(body: CallBody, member: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values = body.has(member) ? body.bodies(member) : []
  return Object.fromEntries(
    values.map((one) => {
      const name = one.text('name')
      const value = one.optionalText('value') ?? (Object.hasOwn(before, name) ? before[name] : undefined)
      if (value === undefined) throw new ConsentryError('USAGE', `${JSON.stringify(name)} needs a value.`)
      return [name, value]
    }),
  )
}

function withoutEmpty(entry: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean => value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(entry).filter(([key, value]) => key === 'command' || key === 'url' || !isEmpty(value)))
}

/** Whether the operating system keeps a server to its folders: known of those that are started here, and told of those that a wrap has started. */
export function enforcementOf(entry: ServerEntry | undefined, origin?: Pick<ConnectionOrigin, 'saysHeld'>): Enforcement {
  if (origin?.saysHeld !== undefined) return origin.saysHeld ? 'said-held' : 'told'
  return entry?.kind === 'stdio' && entry.wishes?.sandbox !== undefined ? 'held' : 'told'
}
