import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import { findOurWords, type OurWords } from './our-words.ts'

/** How a server of a client is reached now. */
export type Standing =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'address'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** Through us. */
  | { readonly kind: 'ours'; readonly command: string; readonly args: readonly string[]; readonly words: OurWords }
  /** In a way that nobody can stand in front of. */
  | { readonly kind: 'unfit'; readonly why: string }

/** What a client writes for an address, in the order in which it is looked for. */
export const addressKeys = ['url', 'httpUrl', 'serverUrl'] as const

/** What gets a server's access in a way that only its client knows. */
const foreignAccess = ['headersHelper', 'oauth', 'auth'] as const

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export function readStanding(value: Json | undefined): Standing {
  if (!isJsonObject(value)) return { kind: 'unfit', why: 'its entry is no object' }
  const [address, other] = addressKeys.filter((key) => value[key] !== undefined)
  if (other !== undefined) return unfit('it has two addresses')
  if (value['command'] !== undefined) return address === undefined ? readCommand(programOf(value)) : unfit('it has a command and an address')
  return address === undefined ? unfit('it has neither a command nor an address') : readAddress(value[address], value)
}

/** It leads to us in any way: also where nobody can tell what to make of it. */
export function namesUs(value: Json | undefined): boolean {
  const { commandKey, members } = programOf(isJsonObject(value) ? value : {})
  const { [commandKey]: command, args } = members
  return typeof command === 'string' && findOurWords(command, Array.isArray(args) ? args.map(String) : []) !== undefined
}

/** The client does not start it. */
export function isDisabled(value: Json | undefined): boolean {
  return isJsonObject(value) && (value['disabled'] === true || value['enabled'] === false)
}

/** Where command, arguments and environment stand: in the entry itself, or in an object that is its command. */
export function programOf(value: JsonObject): { readonly path: readonly string[]; readonly commandKey: string; readonly members: JsonObject } {
  const { command } = value
  return isJsonObject(command) ? { path: ['command'], commandKey: 'path', members: command } : { path: [], commandKey: 'command', members: value }
}

function readCommand({ commandKey, members }: ReturnType<typeof programOf>): Standing {
  const { [commandKey]: command, args = [] } = members
  if (typeof command !== 'string' || command === '') return unfit('its command is no text')
  if (!isTexts(args)) return unfit('its "args" are no list of texts')
  const words = findOurWords(command, args)
  return words ? { kind: 'ours', command, args, words } : { kind: 'command', command, args }
}

function readAddress(url: Json | undefined, entry: JsonObject): Standing {
  if (typeof url !== 'string' || url === '' || url.includes('\0')) return unfit('its address is no text')
  if (!isTexts([entry['type'] ?? ''])) return unfit('its "type" is no text')
  if (entry['type'] === 'sse') return unfit('it speaks the old "sse" transport, which is not supported: use its streamable HTTP address')
  const foreign = foreignAccess.find((key) => entry[key] !== undefined)
  if (foreign !== undefined) return unfit(`only its client can do what "${foreign}" says`)
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url)) return unfit('its address holds a user name or password: send them in a header')
  const { headers = {} } = entry
  if (!isJsonObject(headers) || !isTexts(Object.values(headers))) return unfit('its "headers" are no texts')
  if (!Object.keys(headers).every((name) => headerName.test(name))) return unfit('one of its "headers" has a name that is none')
  if (entry['headers'] !== undefined && entry['env'] !== undefined) return unfit('it has "headers" and "env"')
  if (entry['args'] !== undefined) return unfit('it has an address and "args"')
  return { kind: 'address', url, headers: headers as Readonly<Record<string, string>> }
}

function isTexts(value: Json | readonly (Json | undefined)[]): value is readonly string[] {
  return Array.isArray(value) && value.every((one: Json | undefined) => typeof one === 'string' && !one.includes('\0'))
}

function unfit(why: string): Standing {
  return { kind: 'unfit', why }
}
