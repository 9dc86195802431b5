import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** Turns a value of the wire into a value of ours, or throws a fault that names its path. */
export type Read<Value> = (value: unknown, path: string) => Value

/**
 * What is wrong, where, and what the server's author should change.
 *
 * Never repeats a server's text: the message is shown to people and goes into logs.
 */
export function invalid(path: string, advice: string): ConsentryError {
  return new ConsentryError('SAMPLING_INVALID', `${path} ${advice}`, { data: { path } })
}

/** What a value is, in words that follow "not". */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`
}

/** An own member; inherited names (`constructor`, `__proto__`) are never found. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

export function required<Value>(object: JsonObject, key: string, path: string, read: Read<Value>): Value {
  return read(memberOf(object, key), pathTo(path, key))
}

/** An absent member is fine; `null` is not absence. */
export function optional<Value>(object: JsonObject, key: string, path: string, read: Read<Value>): Value | undefined {
  const value = memberOf(object, key)
  return value === undefined ? undefined : read(value, pathTo(path, key))
}

export const readObject: Read<JsonObject> = (value, path) => {
  if (!isJsonObject(value)) throw wrongKind(value, path, 'an object')
  return value
}

export const readString: Read<string> = (value, path) => {
  if (typeof value !== 'string') throw wrongKind(value, path, 'a string')
  return value
}

export const readNumber: Read<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongKind(value, path, 'a number')
  return value
}

export const readBoolean: Read<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw wrongKind(value, path, 'true or false')
  return value
}

export function readBetween(minimum: number, maximum: number): Read<number> {
  return (value, path) => {
    const number = readNumber(value, path)
    if (number < minimum || number > maximum) throw invalid(path, `must be between ${minimum} and ${maximum}`)
    return number
  }
}

export function readList<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrongKind(value, path, 'a list')
    // Not `map`, which passes over holes.
    return Array.from(value, (item: unknown, index) => read(item, `${path}[${index}]`))
  }
}

/** `advice` says more than the list of choices, where a value is known to be another API's. */
export function readOneOf<Value extends string>(choices: readonly Value[], advice: Readonly<Record<string, string>> = {}): Read<Value> {
  return (value, path) => {
    const choice = choices.find((one) => one === value)
    if (choice !== undefined) return choice
    const more = typeof value === 'string' && Object.hasOwn(advice, value) ? `: ${advice[value]}` : ''
    throw invalid(path, `must be ${choices.map((one) => `"${one}"`).join(' or ')}${more}`)
  }
}

/** The object without the members that were absent. */
export function present<Fields extends object>(fields: Fields): Fields {
  const kept: Partial<Fields> = {}
  for (const key of Object.keys(fields) as (keyof Fields)[]) if (fields[key] !== undefined) kept[key] = fields[key]
  return kept as Fields
}

function wrongKind(value: unknown, path: string, wanted: string): ConsentryError {
  return invalid(path, value === undefined ? `is missing: give it ${wanted}` : `must be ${wanted}, not ${kindOf(value)}`)
}
