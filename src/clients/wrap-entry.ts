import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { blanksBefore } from '../policy/edit-jsonc.ts'
import { isJsonObject } from '../protocol/index.ts'
import { replaceRanges, type ClientEntry, type TextRange } from './client-document.ts'
import { addressKeys, programOf, type Standing } from './standing.ts'
import { wasWords } from './was-words.ts'

/** This program, by absolute paths. */
export interface Wrapper {
  readonly node: string
  readonly program: string
}

export interface WrapWords {
  readonly wrapper: Wrapper
  /** What its programs are looked for in besides the client's PATH, in one text; undefined for nothing. */
  readonly path: string | undefined
}

/** Variables that carry headers begin like this; no server is given them. */
export const headerVariable = 'CONSENTRY_HEADER_'

/** The text of an entry with `consentry wrap` before its server. What is not ours keeps every byte: comments, layout, spelling, environment. */
export function wrapEntry(entry: ClientEntry, standing: Extract<Standing, { readonly kind: 'command' | 'address' }>, words: WrapWords): string {
  const root = parseTree(entry.text, [], { allowTrailingComma: true })!
  const before = [words.wrapper.program, 'wrap', ...nameOption(entry.name)]
  const edits =
    standing.kind === 'command'
      ? wrapCommand(entry, root, [...before, ...(words.path === undefined ? [] : ['--path', words.path])], words.wrapper)
      : wrapAddress(entry, root, [...before, '--url', standing.url], standing.headers, words.wrapper)
  return replaceRanges(entry.text, edits)
}

/** A name that looks like an option is tied to ours. */
function nameOption(name: string): readonly string[] {
  return name.startsWith('-') ? [`--name=${name}`] : ['--name', name]
}

function wrapCommand({ text, value }: ClientEntry, root: Node, before: readonly string[], { node }: Wrapper): readonly TextRange[] {
  const { path, commandKey } = programOf(isJsonObject(value) ? value : {})
  const command = findNodeAtLocation(root, [...path, commandKey])!
  const args = findNodeAtLocation(root, [...path, 'args'])
  const own = [...before, ...(args === undefined ? wasWords({ noArguments: true }) : []), '--']
  const words = [...own.map((word) => JSON.stringify(word)), textOf(text, command)].join(', ')
  const first = args?.children?.[0]
  const edit: TextRange =
    args === undefined
      ? insertAt(endOf(command), `,${blanksBefore(text, command.parent!.offset)}"args": [${words}]`)
      : first === undefined
        ? insertAt(args.offset + 1, words)
        : insertAt(first.offset, `${words},${blanksBefore(text, first.offset)}`)
  return [{ start: command.offset, end: endOf(command), text: JSON.stringify(node) }, edit]
}

/** Headers become variables of the environment, so that no other program of this machine can read them among our words; the client fills in what it would have filled in. */
function wrapAddress(
  { text }: ClientEntry,
  root: Node,
  before: readonly string[],
  headers: Readonly<Record<string, string>>,
  { node }: Wrapper,
): readonly TextRange[] {
  const address = addressKeys.map((key) => findNodeAtLocation(root, [key])).find((found) => found !== undefined)!
  const member = address.parent!
  const key = member.children![0]!
  const type = findNodeAtLocation(root, ['type'])
  const headersNode = findNodeAtLocation(root, ['headers'])
  const variables = nameVariables(Object.keys(headers))
  const carried = Object.keys(headers).flatMap((header, index) => ['--header-env', `${header}=${variables[index]!}`])
  const was = wasWords({
    key: String(key.value),
    type: typeof type?.value === 'string' ? type.value : undefined,
    emptyHeaders: headersNode !== undefined && carried.length === 0,
  })
  const words = [...before, ...carried, ...was]
  const args = words.map((word) => JSON.stringify(word)).join(', ')
  return [
    { start: key.offset, end: endOf(key), text: '"command"' },
    { start: address.offset, end: endOf(address), text: `${JSON.stringify(node)},${blanksBefore(text, member.offset)}"args": [${args}]` },
    ...(type ? [{ start: type.offset, end: endOf(type), text: '"stdio"' }] : []),
    ...(headersNode ? renameKeys(headersNode, variables) : []),
  ]
}

function nameVariables(headers: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return headers.map((header) => {
    const name = `${headerVariable}${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
    let free = name
    for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`
    taken.add(free)
    return free
  })
}

function renameKeys(headers: Node, variables: readonly string[]): readonly TextRange[] {
  const [name] = headers.parent!.children!
  const keys = (headers.children ?? []).map(({ children }) => children![0]!)
  return [
    { start: name!.offset, end: endOf(name!), text: '"env"' },
    ...keys.map((key, index) => ({ start: key.offset, end: endOf(key), text: JSON.stringify(variables[index]) })),
  ]
}

function insertAt(offset: number, text: string): TextRange {
  return { start: offset, end: offset, text }
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function textOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node))
}
