import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { Json } from '../protocol/index.ts'
import { findServerPlaces, type JsonClientFormat } from '../policy/read-client-config.ts'
import { readJsonc } from '../policy/read-jsonc.ts'

/** One server in a client's file, with the very text of its entry. */
export interface ClientEntry {
  readonly name: string
  /** The folder of the project that it belongs to, in a file that has several. */
  readonly project?: string | undefined
  readonly path: readonly string[]
  readonly value: Json | undefined
  readonly text: string
  /** Where the text begins in the file's. */
  readonly offset: number
}

/** A client's config file, as far as servers go. */
export interface ClientDocument {
  readonly file: string
  readonly text: string
  readonly entries: readonly ClientEntry[]
}

/** Another text in the place of an entry's. */
export interface EntryChange {
  readonly entry: ClientEntry
  readonly after: string
}

const everyFormat: readonly JsonClientFormat[] = ['mcpServers', 'servers', 'context_servers', 'claude-code']

/**
 * Finds the servers of a client's file.
 *
 * @param format undefined where nobody knows whose file it is: every way to write servers down is looked for
 * @throws ConsentryError `CONFIG_INVALID`, with line and column
 */
export function readClientDocument(text: string, file: string, format?: JsonClientFormat): ClientDocument {
  const { value } = readJsonc(text, file, 'CONFIG_INVALID')
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const root = parseTree(text.slice(mark), [], { allowTrailingComma: true })!
  const places = (format === undefined ? everyFormat : [format]).flatMap((one) => findServerPlaces(value, one))
  const entries = new Map<string, ClientEntry>()
  for (const { name, path, value: entry } of places) {
    const node = findNodeAtLocation(root, [...path])!
    const offset = node.offset + mark
    const project = path[0] === 'projects' ? path[1] : undefined
    entries.set(JSON.stringify(path), { name, project, path, value: entry, text: text.slice(offset, offset + node.length), offset })
  }
  return { file, text, entries: [...entries.values()].toSorted((one, other) => one.offset - other.offset) }
}

/** The file's text with other entries; every other byte stays. */
export function changeEntries({ text }: ClientDocument, changes: readonly EntryChange[]): string {
  return replaceRanges(
    text,
    changes.map(({ entry, after }) => ({ start: entry.offset, end: entry.offset + entry.text.length, text: after })),
  )
}

/** Other words in the place of some. */
export interface TextRange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** @param ranges in any order; none reaches into another */
export function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  return ranges
    .toSorted((one, other) => other.start - one.start)
    .reduce((changed, { start, end, text: words }) => `${changed.slice(0, start)}${words}${changed.slice(end)}`, text)
}
