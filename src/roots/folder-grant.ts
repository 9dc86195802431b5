import { isJsonObject, type Decision, type FieldFault, type GrantedFolder, type Phrase, type Remembrance, type RootStatus } from '../protocol/index.ts'
import type { ServerRoots } from './server-roots.ts'

const MOST_FOLDERS = 1000
/** The last moment that has a date. */
const LATEST = 8_640_000_000_000_000

/** The folders that a decision grants; undefined where they cannot be read. */
export function readGrant(decision: Decision<'folders'>): readonly GrantedFolder[] | undefined {
  if (decision.action !== 'grant') return []
  const folders = decision.roots.flatMap((entry: unknown) => readFolder(entry) ?? [])
  return folders.length === decision.roots.length && folders.length <= MOST_FOLDERS ? folders : undefined
}

/** For how long a decision is to hold; undefined: for this run. What cannot be read is no wish to be remembered. */
export function readRemembrance(decision: Decision<'folders'>): Remembrance | undefined {
  const remember: unknown = decision.action === 'cancel' ? undefined : decision.remember
  if (!isJsonObject(remember)) return undefined
  const { until } = remember
  if (until === undefined) return {}
  return typeof until === 'number' && Math.abs(until) <= LATEST ? { until } : undefined
}

/**
 * What is wrong with the folders that a script grants, each by itself: nobody consents to what is not there.
 * Those in `configured` were consented to before, and may be missing.
 */
export async function findGrantFaults(
  decision: Decision<'folders'>,
  roots: Pick<ServerRoots, 'survey'>,
  configured: ReadonlySet<string>,
): Promise<readonly FieldFault[]> {
  const entries = readGrant(decision)
  if (entries === undefined) return [unreadable]
  const { states } = await roots.survey(entries)
  return states.filter(({ path, status }) => status !== 'ok' && !configured.has(path)).map(({ path, status, reason }) => folderFault(path, status, reason))
}

/** A folder that cannot be told, said in English and carrying what another language needs. */
export function folderFault(path: string, status: RootStatus, reason: Phrase | undefined): FieldFault {
  return { field: path, problem: `folder-${status}`, ...(reason && { facts: { reason: reason.key } }), message: reason?.sentence ?? status }
}

export const unreadable: FieldFault = {
  field: 'roots',
  problem: 'folders-unreadable',
  message: `Give at most ${MOST_FOLDERS} folders, each with its path as a text.`,
}

function readFolder(entry: unknown): GrantedFolder | undefined {
  if (!isJsonObject(entry) || typeof entry['path'] !== 'string') return undefined
  const { path, name, confirmed, repository } = entry
  if (repository !== undefined && typeof repository !== 'string') return undefined
  const folder = { path, ...(confirmed === true && { confirmed }), ...(repository !== undefined && { repository }) }
  if (name === undefined) return folder
  return typeof name === 'string' ? { ...folder, name } : undefined
}
