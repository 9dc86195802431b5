import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { commaAfter, removeMember, setJsonc } from '../policy/edit-jsonc.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import { replaceRanges, type ClientEntry } from './client-document.ts'
import { optionValues, type OurWords } from './our-words.ts'
import { programOf } from './standing.ts'

/** The text of an entry without `consentry wrap`, whoever wrote it there, and whatever else was changed in it since. */
export function unwrapEntry(entry: ClientEntry, words: OurWords): string {
  return words.serverAt === undefined ? unwrapAddress(entry, words) : unwrapCommand(entry, words.serverAt)
}

function unwrapCommand({ text, value }: ClientEntry, serverAt: number): string {
  const { path, commandKey } = programOf(isJsonObject(value) ? value : {})
  const root = parseTree(text, [], { allowTrailingComma: true })!
  const command = findNodeAtLocation(root, [...path, commandKey])!
  const words = findNodeAtLocation(root, [...path, 'args'])!.children!
  // The command is the first of all words, and no argument.
  const server = words[serverAt - 1]
  if (server === undefined) return text
  const next = words[serverAt]
  const end = next?.offset ?? (commaAfter(text, endOf(server)) ?? endOf(server) - 1) + 1
  return replaceRanges(text, [
    { start: command.offset, end: endOf(command), text: text.slice(server.offset, endOf(server)) },
    { start: words[0]!.offset, end, text: '' },
  ])
}

/** Where a wrapped address leads, as the client would write it. @param environment of the entry, whose variables may carry headers */
export function addressBehind({ options }: OurWords, environment: JsonObject): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const typed = optionValues(options, '--header').map((given) => splitAt(given, ':'))
  const headers = Object.fromEntries([
    ...typed.map(([name, rest]): [string, string] => [name, rest.trim()]),
    ...carriedHeaders(options).flatMap(([name, variable]): [string, string][] => {
      const value = environment[variable]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  ])
  return { url: optionValues(options, '--url').at(-1) ?? '', headers }
}

function carriedHeaders(options: readonly string[]): readonly (readonly [name: string, variable: string])[] {
  return optionValues(options, '--header-env').map((given) => splitAt(given, '='))
}

function unwrapAddress({ text, value }: ClientEntry, words: OurWords): string {
  const entry = isJsonObject(value) ? value : {}
  const environment = isJsonObject(entry['env']) ? entry['env'] : {}
  const { url, headers } = addressBehind(words, environment)
  const carried = new Set(carriedHeaders(words.options).map(([, variable]) => variable))
  const kept = Object.entries(environment).filter(([name]) => !carried.has(name))
  let changed = renameMember(text, 'command', 'url', url)
  changed = removeMember(changed, ['args'])
  changed = kept.length > 0 ? setJsonc(changed, ['env'], Object.fromEntries<Json | undefined>(kept)) : removeMember(changed, ['env'])
  if (Object.keys(headers).length > 0) changed = setJsonc(changed, ['headers'], headers)
  return entry['type'] === 'stdio' ? setJsonc(changed, ['type'], 'http') : changed
}

function renameMember(text: string, before: string, name: string, value: string): string {
  const member = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true })!, [before])!.parent!
  return replaceRanges(text, [{ start: member.offset, end: endOf(member), text: `${JSON.stringify(name)}: ${JSON.stringify(value)}` }])
}

function splitAt(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function endOf({ offset, length }: Node): number {
  return offset + length
}
