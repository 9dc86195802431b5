import { ConsentryError } from '../errors.ts'
import { latestLegacyRevision, type DeskSession } from '../protocol/index.ts'
import type { ToldFolder } from './prepare-start.ts'
import { toldPaths } from './uncovered-roots.ts'

/**
 * What a server is told now: a held one that is started afresh is held to that. It is asked as the server itself would ask: by the same rules, and with the same entry
 * in the log.
 *
 * @throws ConsentryError `NO_ONE_TO_ASK` where there is nobody who could say
 */
export async function toldRoots(session: DeskSession): Promise<readonly ToldFolder[]> {
  const response = await session.answer({ kind: 'roots', params: undefined, revision: latestLegacyRevision }, new AbortController().signal)
  if (response.outcome === 'answered' && response.unanswered === undefined) return response.terms ?? toldPaths(response).map((path) => ({ path }))
  throw new ConsentryError('NO_ONE_TO_ASK', 'nobody can say which folders it may know now')
}
