import type { FolderTerms, Root } from '../protocol/index.ts'
import type { ConsentedFolder, FolderSighting, FolderState } from './consented-folder.ts'

/** What can be said of some folders at this moment. */
export interface RootSurvey {
  /** Each folder, with its status. */
  readonly states: readonly FolderState[]
  /** What may be told of them: there, readable, not replaced, each object once. */
  readonly roots: readonly Root[]
  /** Of each of these, in their order. */
  readonly terms: readonly FolderTerms[]
  /** What may be told is the empty folder in place of none. */
  readonly isStandIn?: boolean | undefined
}

/** Whoever was looked at lately is not looked at again. */
export async function lookAt(folders: readonly ConsentedFolder[], maxAge: number): Promise<readonly FolderSighting[]> {
  const known = folders.map((folder) => folder.recall(maxAge))
  if (!known.includes(undefined)) return known as readonly FolderSighting[]
  const looked = await Promise.all(folders.filter((_, index) => known[index] === undefined).map((folder) => folder.look(maxAge)))
  let next = 0
  return known.map((sighting) => sighting ?? looked[next++]!)
}

/** A folder that is only gone was not taken back. */
export function isRevoked({ roots, states }: Pick<RootSurvey, 'roots' | 'states'>): boolean {
  return roots.length === 0 && states.every(({ status }) => status === 'replaced')
}

/** Each folder once, and each object once. */
export function merge(sightings: readonly (FolderSighting & { readonly path: string })[]): RootSurvey {
  const byPath = new Map<string, FolderSighting>()
  const roots = new Map<string, { readonly root: Root; readonly terms: FolderTerms }>()
  for (const { path, state, told } of sightings) {
    // Of two consents to one path the one that holds counts.
    if (byPath.get(path)?.state.status !== 'ok' && (told || !byPath.has(path))) byPath.set(path, { state, told })
    if (!told) continue
    const { root, identity, repository } = told
    const same = roots.get(identity)
    roots.set(identity, { root: same?.root ?? root, terms: { path: same?.terms.path ?? path, identity, repository: same?.terms.repository ?? repository } })
  }
  const all = [...roots.values()]
  return { states: Array.from(byPath.values(), ({ state }) => state), roots: all.map(({ root }) => root), terms: all.map(({ terms }) => terms) }
}
