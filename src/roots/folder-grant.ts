import { isJsonObject, type Decision, type FieldFault } from '../protocol/index.ts'
import type { RootEntry } from './root-entry.ts'
import type { ServerRoots } from './server-roots.ts'

const MOST_FOLDERS = 1000

/** The folders that a decision grants. What is not an entry at all is left out: {@link findGrantFaults} has said so. */
export function readGrant(decision: Decision<'folders'>): readonly RootEntry[] {
  return decision.action === 'grant' ? decision.roots.flatMap((entry: unknown) => readEntry(entry) ?? []) : []
}

/**
 * What is wrong with the folders that a decision grants, each by itself: nobody consents to what is not there.
 * Those in `configured` were consented to before, and may be missing.
 */
export async function findGrantFaults(
  decision: Decision<'folders'>,
  roots: Pick<ServerRoots, 'survey'>,
  configured: ReadonlySet<string> = new Set(),
): Promise<readonly FieldFault[]> {
  if (decision.action !== 'grant') return []
  const entries = readGrant(decision)
  if (entries.length !== decision.roots.length || entries.length > MOST_FOLDERS) {
    return [{ field: 'roots', problem: 'folders-unreadable', message: `Give at most ${MOST_FOLDERS} folders, each with its path as a text.` }]
  }
  const { states } = await roots.survey(entries)
  return states
    .filter(({ path, status }) => status !== 'ok' && !configured.has(path))
    .map(({ path, status, reason = '' }) => ({ field: path, problem: `folder-${status}`, message: reason }))
}

function readEntry(entry: unknown): RootEntry | undefined {
  if (!isJsonObject(entry) || typeof entry['path'] !== 'string') return undefined
  const { path, name } = entry
  if (name === undefined) return { path }
  return typeof name === 'string' ? { path, name } : undefined
}
