import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** An argument that a server wants to see in a header too. */
export interface ParamHeader {
  readonly name: string
  /** From the arguments down to the value. */
  readonly path: readonly string[]
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const annotation = 'x-mcp-header'
const deepest = 200

/**
 * Reads which arguments of a tool go into headers.
 *
 * @returns the headers, or in words why the tool must not be offered
 * @see MCP 2026-07-28 basic/transports/streamable-http "Custom Headers from Tool Parameters"
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | string {
  const found: ParamHeader[] = []
  const fault = visit(inputSchema, [], true, found, 0)
  if (fault !== undefined) return fault
  const names = found.map(({ name }) => name.toLowerCase())
  return new Set(names).size === names.length ? found : `two arguments want the same header`
}

/** The headers of one call; arguments that are not given, or are null, have none. */
export function paramHeaders(wanted: readonly ParamHeader[], args: unknown): Readonly<Record<string, string>> {
  const headers = wanted.flatMap(({ name, path }): readonly (readonly [string, string])[] => {
    const value = path.reduce<unknown>((node, key) => (isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined), args)
    const isWritable = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
    return isWritable ? [[`Mcp-Param-${name}`, encode(String(value))]] : []
  })
  return Object.fromEntries(headers)
}

/** Annotations count where only `properties` lead to them; anywhere else they make the tool unusable. */
function visit(node: unknown, path: readonly string[], isReachable: boolean, found: ParamHeader[], depth: number): string | undefined {
  if (depth > deepest) return 'the schema is nested too deeply'
  if (Array.isArray(node)) return first(node, (member) => visit(member, path, false, found, depth + 1))
  if (!isJsonObject(node)) return undefined
  if (Object.hasOwn(node, annotation) && (isReachable || typeof node[annotation] === 'string')) {
    const fault = faultOf(node, path, isReachable)
    if (fault !== undefined) return fault
    found.push({ name: node[annotation] as string, path })
  }
  const { properties, ...others } = node
  const inProperties = isJsonObject(properties)
    ? first(Object.entries(properties), ([key, member]) => visit(member, [...path, key], isReachable, found, depth + 1))
    : undefined
  return inProperties ?? first(Object.entries(others), ([key, member]) => (isData(key) ? undefined : visit(member, path, false, found, depth + 1)))
}

function faultOf(node: JsonObject, path: readonly string[], isReachable: boolean): string | undefined {
  const name = node[annotation]
  const where = path.join('.') || 'the schema itself'
  if (!isReachable || path.length === 0) return `${where}: ${annotation} stands where no argument is`
  if (typeof name !== 'string' || !token.test(name)) return `${where}: ${annotation} is no header name`
  return ['string', 'integer', 'boolean'].includes(node['type'] as string) ? undefined : `${where}: ${annotation} is only for texts, whole numbers and booleans`
}

/** Keywords whose value is data of the schema's author, no schema. */
function isData(keyword: string): boolean {
  return ['default', 'const', 'enum', 'examples', annotation].includes(keyword)
}

function first<Member>(members: readonly Member[], fault: (member: Member) => string | undefined): string | undefined {
  for (const member of members) {
    const found = fault(member)
    if (found !== undefined) return found
  }
  return undefined
}

/** @see "Value Encoding" on the same page */
function encode(value: string): string {
  const isPlain = /^[\x20-\x7E\t]+$/.test(value) && value === value.trim() && !(value.startsWith('=?base64?') && value.endsWith('?='))
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}
