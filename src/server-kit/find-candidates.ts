import { holdWithin, isNoPath, pathOf, readPlace, resolveDots, type HeldRoot, type HoldNeeds } from '../paths/index.ts'

export interface Candidates {
  /** The path, or the whole path in the one root that a relative one belongs to; undefined where that cannot be said. */
  readonly belongs: string | undefined
  /** The whole paths that a relative one could mean. */
  readonly candidates: readonly string[]
}

/**
 * A relative path belongs to the root in which it is there; where it is in none, to the only root, or to nobody. Never to the current folder.
 * Whether something is there outside changes nothing.
 */
export async function findCandidates(path: string, roots: readonly HeldRoot[], needs: HoldNeeds): Promise<Candidates> {
  const reading = readPlace(path, needs.disk.platform)
  if (reading.ok || reading.problem !== 'relative' || roots.length === 0 || isNoPath(path, needs.disk.platform)) return { belongs: path, candidates: [] }
  const [whole, ...different] = new Set(roots.map((root) => wholeIn(root, path, needs)))
  if (different.length === 0) return { belongs: whole, candidates: [] }

  const present: string[] = []
  const absent: string[] = []
  let refused = 0
  for (const way of [whole!, ...different]) {
    const outcome = await holdWithin({ roots, path: way, operation: 'create' }, needs)
    if (outcome.outcome === 'held') {
      outcome.anchor.close()
      present.push(way)
    } else if (outcome.outcome === 'absent') absent.push(way)
    else refused += 1
  }
  // One that is refused may be there as well: saying no more of it keeps what lies outside unknown.
  return { belongs: present.length === 1 && refused === 0 ? present[0] : undefined, candidates: present.length > 0 ? present : absent }
}

/** Steps up from a root lead to the same place from wherever that is, as long as none stands behind a name that could be a link. */
function wholeIn({ real }: HeldRoot, path: string, { disk }: HoldNeeds): string {
  const whole = `${pathOf(real)}${disk.platform === 'posix' ? '/' : '\\'}${path}`
  const reading = readPlace(whole, disk.platform)
  const names = reading.ok ? reading.place.names.slice(real.names.length) : []
  const below = names.slice(names.findIndex((name) => name !== '..'))
  return reading.ok && names[0] === '..' && !below.includes('..') ? pathOf(resolveDots(reading.place)) : whole
}
