import {
  isJsonObject,
  keptFaults,
  type ConnectionOrigin,
  type FreshStartEnd,
  type KeptChoice,
  type KeptFoldersReport,
  type KeptReason,
  type Root,
} from '../protocol/index.ts'

/** As many as one server can be told. */
const mostFolders = 10_000
const choices: readonly KeptChoice[] = ['stand-in', 'restart', 'leave']
const reasons: readonly (KeptReason | 'gone')[] = ['none-told', 'never-reread', 'at-start', 'gone']

/** What a wrap says of the folders that its server was told before this desk was there; what cannot be read is left out. */
export function readFolderFacts(said: Readonly<Record<string, unknown>>): Pick<ConnectionOrigin, 'told' | 'undecided' | 'keptFolders'> {
  const told = readList(said['told'], readRoot)
  const undecided = told && readUris(said['undecided'])
  const choice = choices.find((one) => one === said['keptFolders'])
  return { ...(told && (undecided ?? told).length > 0 && { told }), ...(undecided && { undecided }), ...(choice && { keptFolders: choice }) }
}

/** @returns undefined where that is no list of them, or an empty one */
export function readUris(value: unknown): readonly string[] | undefined {
  const uris = readList(value, readText)
  return uris && uris.length > 0 ? uris : undefined
}

/** What a desk says of a server that may go on in folders which it should know no longer. @returns undefined for what no desk of ours says */
export function readKeptReport(value: unknown): KeptFoldersReport | undefined {
  if (!isJsonObject(value)) return undefined
  const reason = reasons.find((one) => one === value['reason'])
  const done = ([...choices, 'nothing'] as const).find((one) => one === value['done'])
  const known = readList(value['known'], readText)
  if (!reason || !done || !known) return undefined
  const fault = isJsonObject(value['fault']) ? value['fault'] : {}
  const of = keptFaults.find((one) => one === fault['of'])
  const { message } = fault
  return { reason, known, done, isAsked: value['isAsked'] === true, ...(of && typeof message === 'string' && { fault: { of, message } }) }
}

/** What a wrap says of a fresh start. @returns undefined for what no wrap of ours says */
export function readFreshStart(value: unknown): FreshStartEnd | undefined {
  if (!isJsonObject(value)) return undefined
  const { fault, startedWith: list } = value
  const startedWith = readList(list, readText)
  return { ...(typeof fault === 'string' && { fault }), ...(startedWith && { startedWith }) }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function readRoot(value: unknown): Root | undefined {
  if (!isJsonObject(value) || typeof value['uri'] !== 'string') return undefined
  const { uri, name } = value
  return typeof name === 'string' ? { uri, name } : { uri }
}

function readList<Element>(value: unknown, read: (one: unknown) => Element | undefined): readonly Element[] | undefined {
  if (!Array.isArray(value) || value.length > mostFolders) return undefined
  const elements = (value as readonly unknown[]).map(read)
  return elements.every((one) => one !== undefined) ? elements : undefined
}
