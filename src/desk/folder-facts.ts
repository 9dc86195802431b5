import type { Decision, JsonObject, ReviewSubjects } from '../protocol/index.ts'
import { readGrant, readRemembrance } from '../roots/folder-grant.ts'

/** What the log keeps of a decision about folders: to which ones a person said yes, to which of those they were shown no, and for how long. */
export function factsOfFolders({ proposed }: ReviewSubjects['folders'], decision: Decision<'folders'>): JsonObject {
  if (decision.action === 'cancel') return {}
  const folders = readGrant(decision) ?? []
  const granted = folders.map(({ path }) => path)
  const repositories = folders.flatMap(({ repository }) => repository ?? [])
  const refused = proposed.map(({ path }) => path).filter((path) => !granted.includes(path))
  const remembrance = readRemembrance(decision)
  const holds = remembrance === undefined ? 'this-run' : remembrance.until === undefined ? 'until-revoked' : new Date(remembrance.until).toISOString()
  return { granted, refused, holds, ...(repositories.length > 0 && { repositories }) }
}

/** The same of a decision about a server that keeps the folders that it was told before. */
export function factsOfKeptFolders({ reason, known, fault }: ReviewSubjects['kept-folders'], decision: Decision<'kept-folders'>): JsonObject {
  const isForLater = decision.action !== 'cancel' && decision.action !== 'end'
  return { reason, known, ...(fault !== undefined && { fault }), ...(isForLater && { holds: decision.remember === undefined ? 'this-run' : 'until-revoked' }) }
}
