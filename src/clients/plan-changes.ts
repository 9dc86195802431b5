import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { isJsonObject } from '../protocol/index.ts'
import { replaceRanges, type ClientDocument, type ClientEntry, type TextRange } from './client-document.ts'
import type { RecordedEntry } from './install-record.ts'
import type { OurWords } from './our-words.ts'
import { isDisabled, namesUs, programOf, readStanding, type Standing } from './standing.ts'
import { freeEntry } from './unwrap-entry.ts'
import { wrapEntry, type Wrapper } from './wrap-entry.ts'

/** What becomes of one entry. */
export type EntryPlan = { readonly entry: ClientEntry } & (
  | {
      readonly action: 'change'
      readonly after: string
      readonly notes: readonly string[]
      /** Why it leads to us even afterwards, where it should not. */
      readonly remains?: string | undefined
    }
  /** It is as it should be. */
  | { readonly action: 'keep'; readonly why: string }
  /** It cannot be, or should not be, as it is. */
  | { readonly action: 'skip'; readonly why: string }
)

export interface InstallNeeds {
  readonly wrapper: Wrapper
  /** Servers by name; undefined is all of them. */
  readonly names: ReadonlySet<string> | undefined
  /** What a command needs besides the client's PATH, as one text. @returns undefined for nothing; `missing` where there is no such program here */
  readonly pathFor: (command: string, entry: ClientEntry) => string | undefined | { readonly missing: string }
}

/** Programs that pass a server on, and what it asks only in part. */
const bridges = /^(?:mcp-remote|mcp-proxy|supergateway|fastmcp)(?:@|$)/

/** What `install` makes of a file: nothing is written, nothing is started. */
export function planInstall({ entries }: ClientDocument, needs: InstallNeeds): readonly EntryPlan[] {
  return entries.filter(({ name }) => needs.names?.has(name) ?? true).map((entry) => planOne(entry, needs))
}

function planOne(entry: ClientEntry, { wrapper, names, pathFor }: InstallNeeds): EntryPlan {
  const standing = readStanding(entry.value)
  switch (standing.kind) {
    case 'unfit':
      return { entry, action: 'skip', why: standing.why }
    case 'ours':
      return planOurs(entry, standing.words, wrapper)
    case 'address':
    case 'command': {
      const flaw = flawOfName(entry.name)
      if (flaw !== undefined) return { entry, action: 'skip', why: flaw }
      if (isDisabled(entry.value) && names === undefined) return { entry, action: 'skip', why: 'it is switched off; name it to wrap it all the same' }
      const path = standing.kind === 'command' ? pathFor(standing.command, entry) : undefined
      if (typeof path === 'object') return { entry, action: 'skip', why: path.missing }
      return { entry, action: 'change', after: wrapEntry(entry, standing, { wrapper, path }), notes: notesOn(standing) }
    }
    default:
      return standing satisfies never
  }
}

/** The name becomes one of our words. */
function flawOfName(name: string): string | undefined {
  if (name === '') return 'it has an empty name, and people must be told who asks: give it one'
  if (name.includes('\0')) return 'its name holds a character that no program can be given: give it another'
  return name.includes('${') ? 'its name holds "${", which its client may put something else in the place of: give it another' : undefined
}

function notesOn(standing: Extract<Standing, { readonly kind: 'command' | 'address' }>): readonly string[] {
  if (standing.kind === 'address')
    return standing.url.includes('?') ? ['other programs of this machine can see its address, with what stands behind the question mark, while it runs'] : []
  const bridge = [standing.command, ...standing.args].map((word) => word.split(/[\\/]/).at(-1)!).find((word) => bridges.test(word))
  return bridge === undefined ? [] : [`${bridge} stands between: a question that it does not pass on cannot be answered`]
}

function planOurs(entry: ClientEntry, words: OurWords, wrapper: Wrapper): EntryPlan {
  if (words.position === 'inside') return { entry, action: 'skip', why: 'consentry stands behind another program there' }
  const { path, commandKey } = programOf(isJsonObject(entry.value) ? entry.value : {})
  const isByPaths = words.programAt === 1 && isAbsolute(words.runtime ?? '') && isAbsolute(words.program)
  if (!isByPaths || (words.runtime === wrapper.node && words.program === wrapper.program)) return { entry, action: 'keep', why: 'it is wrapped already' }
  const root = parseTree(entry.text, [], { allowTrailingComma: true })!
  const args = findNodeAtLocation(root, [...path, 'args'])!.children!
  const change = (node: Node, word: string): TextRange => ({ start: node.offset, end: node.offset + node.length, text: JSON.stringify(word) })
  // The words of `wrap` begin behind the program, and its options behind that.
  const folders = args.slice(1, words.serverAt && words.serverAt - 1).findIndex((word) => word.value === '--path')
  const value = folders < 0 ? undefined : args[folders + 2]
  const after = replaceRanges(entry.text, [
    change(findNodeAtLocation(root, [...path, commandKey])!, wrapper.node),
    change(args[0]!, wrapper.program),
    ...(value ? [change(value, moveFolder(String(value.value), folderOf(words.runtime!), folderOf(wrapper.node)))] : []),
  ])
  return { entry, action: 'change', after, notes: [`it led to ${words.program}`] }
}

/** The folder of a node that is gone must not be where programs are looked for. */
function moveFolder(folders: string, before: string, after: string): string {
  const separator = /^[A-Za-z]:[\\/]/.test(after) ? ';' : ':'
  return [...new Set(folders.split(separator).map((folder) => (folder === before ? after : folder)))].join(separator)
}

function folderOf(file: string): string {
  return file.replace(/[\\/][^\\/]*$/, '')
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)
}

/** What `uninstall` makes of a file: an entry that is as we left it gets back what stood there; from another, our words are taken out. */
export function planUninstall(
  { entries }: ClientDocument,
  { recorded, names }: { readonly recorded: readonly RecordedEntry[]; readonly names: ReadonlySet<string> | undefined },
): readonly EntryPlan[] {
  return entries
    .filter(({ name }) => names?.has(name) ?? true)
    .flatMap((entry): readonly EntryPlan[] => {
      if (!namesUs(entry.value)) return []
      const known = recorded.find((one) => one.after === entry.text && keyOf(one) === keyOf(entry))
      // What was recorded may lead to us as well, where somebody had wrapped it before.
      const { text: after, remains } = freeEntry(known?.before ?? entry.text)
      if (after === entry.text) return [{ entry, action: 'skip', why: remains ?? 'it is as it was' }]
      return [{ entry, action: 'change', after, notes: known ? [] : ['it was changed, or not written by install: our words are taken out'], remains }]
    })
}

/**
 * What is to be recorded of a file before it is changed by `install`: what stands in it stays recorded, so that nothing is lost where the change is not written after all.
 *
 * @param before what was recorded of it until then
 * @param document as it stands now
 */
export function recordInstall(before: readonly RecordedEntry[], plans: readonly EntryPlan[], document: ClientDocument): readonly RecordedEntry[] {
  const standing = stillStanding(before, document)
  const fresh = plans.flatMap((plan): readonly RecordedEntry[] => {
    if (plan.action !== 'change') return []
    const { path, text, value } = plan.entry
    // What it was at the very first, where we change what we wrote ourselves; where nobody knows that, our words are taken out one day.
    const first = standing.find((one) => keyOf(one) === keyOf({ path }))?.before ?? (namesUs(value) ? undefined : text)
    return first === undefined ? [] : [{ path, before: first, after: plan.after }]
  })
  return [...standing, ...fresh]
}

/** What is left to be taken out of a file, as it stands now. */
export function stillStanding(recorded: readonly RecordedEntry[], { entries }: ClientDocument): readonly RecordedEntry[] {
  const standing = new Map(entries.map((entry) => [keyOf(entry), entry.text]))
  return recorded.filter((one) => standing.get(keyOf(one)) === one.after)
}

function keyOf({ path }: { readonly path: readonly string[] }): string {
  return JSON.stringify(path)
}
