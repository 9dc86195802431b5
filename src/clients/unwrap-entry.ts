import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { commaAfter, removeMember, setJsonc } from '../policy/edit-jsonc.ts'
import { readJsonc } from '../policy/read-jsonc.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import { replaceRanges, type TextRange } from './client-document.ts'
import { optionValues, type OurWords } from './our-words.ts'
import { namesUs, programOf, readStanding } from './standing.ts'
import { readWasWords } from './was-words.ts'

/** An entry from which our words were taken out. */
export interface FreedEntry {
  readonly text: string
  /** Why it still leads to us; undefined where it does not. */
  readonly remains?: string | undefined
}

/** Takes `consentry wrap` out of the text of an entry, whoever wrote it there, however often, and whatever else was changed in it since. */
export function freeEntry(text: string): FreedEntry {
  const { value } = readJsonc(text, 'an entry', 'CONFIG_INVALID')
  if (!namesUs(value)) return { text }
  const standing = readStanding(value)
  if (standing.kind !== 'ours')
    return { text, remains: `it still leads to consentry, and cannot be read (${standing.kind === 'unfit' ? standing.why : standing.kind})${byHand}` }
  if (standing.words.position === 'inside') return { text, remains: `consentry stands behind another program there${byHand}` }
  const entry = isJsonObject(value) ? value : {}
  const free = standing.words.serverAt === undefined ? unwrapAddress(text, entry, standing.words) : unwrapCommand(text, entry, standing.words)
  // What gets shorter each time comes to an end.
  return free.length < text.length ? freeEntry(free) : { text, remains: `consentry stands before nothing there${byHand}` }
}

const byHand = ': take it out by hand'

function unwrapCommand(text: string, entry: JsonObject, { options, serverAt }: OurWords): string {
  const { path, commandKey } = programOf(entry)
  const root = parseTree(text, [], { allowTrailingComma: true })!
  const command = findNodeAtLocation(root, [...path, commandKey])!
  const args = findNodeAtLocation(root, [...path, 'args'])!
  const words = args.children!
  // The command is the first of all words, and no argument.
  const server = words[serverAt! - 1]
  if (server === undefined) return text
  const back: TextRange = { start: command.offset, end: endOf(command), text: text.slice(server.offset, endOf(server)) }
  const next = words[serverAt!]
  if (next === undefined && readWasWords(options).noArguments) return withoutArguments(text, [...path, 'args'], { command, args, back })
  const end = next?.offset ?? (commaAfter(text, endOf(server)) ?? endOf(server) - 1) + 1
  return replaceRanges(text, [back, { start: words[0]!.offset, end, text: '' }])
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

function unwrapAddress(text: string, entry: JsonObject, words: OurWords): string {
  const { path, members } = programOf(entry)
  const environment = isJsonObject(members['env']) ? members['env'] : {}
  const { url, headers } = addressBehind(words, environment)
  const was = readWasWords(words.options)
  if (path.length > 0)
    return giveAddress(replaceValue(Object.keys(headers).length > 0 ? setJsonc(text, ['headers'], headers) : text, 'command', url), entry, was)
  const isOnlyOurs = optionValues(words.options, '--header').length === 0 && isCarryingAlone(environment, words.options, was.emptyHeaders)
  const names = new Map(carriedHeaders(words.options).map(([name, variable]) => [variable, name]))
  const free = isOnlyOurs ? giveHeadersBack(text, names) : setHeaders(text, { environment, headers, carried: [...names.keys()] })
  const root = parseTree(free, [], { allowTrailingComma: true })!
  const command = findNodeAtLocation(root, ['command'])!
  const args = findNodeAtLocation(root, ['args'])!
  const back: TextRange = { start: command.offset, end: endOf(command), text: JSON.stringify(url) }
  return giveAddress(withoutArguments(free, ['args'], { command, args, back }), entry, was)
}

/** The address stands where the command stood: it gets its own key, and the entry its type. */
function giveAddress(text: string, entry: JsonObject, was: ReturnType<typeof readWasWords>): string {
  const key = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true })!, ['command'])!.parent!.children![0]!
  const renamed = replaceRanges(text, [{ start: key.offset, end: endOf(key), text: JSON.stringify(was.key) }])
  return entry['type'] === 'stdio' ? replaceValue(renamed, 'type', was.type) : renamed
}

/** Nothing stands in "env" but the headers that we moved there: they go back as they are, with all that stands between them. */
function isCarryingAlone(environment: JsonObject, options: readonly string[], hadEmptyHeaders: boolean | undefined): boolean {
  const carried = new Set(carriedHeaders(options).map(([, variable]) => variable))
  const names = Object.keys(environment)
  return names.length === 0 ? hadEmptyHeaders === true : names.every((name) => carried.has(name))
}

function giveHeadersBack(text: string, names: ReadonlyMap<string, string>): string {
  const environment = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true })!, ['env'])
  if (environment === undefined) return text
  const keys = [environment.parent!.children![0]!, ...(environment.children ?? []).map(({ children }) => children![0]!)]
  return replaceRanges(
    text,
    keys.map((key, index) => ({ start: key.offset, end: endOf(key), text: JSON.stringify(index === 0 ? 'headers' : names.get(String(key.value))) })),
  )
}

interface HeaderChange {
  readonly environment: JsonObject
  readonly headers: Readonly<Record<string, string>>
  /** Our variables. */
  readonly carried: readonly string[]
}

/** Headers that somebody typed, or variables of somebody else among ours. */
function setHeaders(text: string, { environment, headers, carried }: HeaderChange): string {
  const hasOthers = Object.keys(environment).some((name) => !carried.includes(name))
  const kept = carried.reduce((changed, variable) => removeMember(changed, ['env', variable]), text)
  const without = hasOthers || carried.length === 0 ? kept : removeMember(text, ['env'])
  return Object.keys(headers).length > 0 ? setJsonc(without, ['headers'], headers) : without
}

/** Takes "args" out, with what we wrote before them where they still stand there. */
function withoutArguments(
  text: string,
  path: readonly string[],
  { command, args, back }: { readonly command: Node; readonly args: Node; readonly back: TextRange },
): string {
  const member = args.parent!
  const isBehind = member.offset > command.offset && /^,\s*$/.test(text.slice(endOf(command), member.offset))
  return isBehind ? replaceRanges(text, [{ ...back, end: endOf(member) }]) : removeMember(replaceRanges(text, [back]), path)
}

function replaceValue(text: string, name: string, value: Json): string {
  const node = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true })!, [name])!
  return replaceRanges(text, [{ start: node.offset, end: endOf(node), text: JSON.stringify(value) }])
}

function splitAt(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function endOf({ offset, length }: Node): number {
  return offset + length
}
