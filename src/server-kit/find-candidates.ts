import { holdWithin, isNoPath, pathOf, readPlace, type HeldRoot, type HoldNeeds } from '../paths/index.ts'

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
  const [only, ...others] = roots
  if (reading.ok || reading.problem !== 'relative' || only === undefined || isNoPath(path, needs.disk.platform)) return { belongs: path, candidates: [] }
  const wholeIn = ({ real }: HeldRoot): string => `${pathOf(real)}${needs.disk.platform === 'posix' ? '/' : '\\'}${path}`
  if (others.length === 0) return { belongs: wholeIn(only), candidates: [] }

  const present: string[] = []
  const absent: string[] = []
  let refused = 0
  for (const root of roots) {
    const whole = wholeIn(root)
    const outcome = await holdWithin({ roots, path: whole, operation: 'create' }, needs)
    if (outcome.outcome === 'held') {
      outcome.anchor.close()
      present.push(whole)
    } else if (outcome.outcome === 'absent') absent.push(whole)
    else refused += 1
  }
  // One that is refused may be there as well: saying no more of it keeps what lies outside unknown.
  return { belongs: present.length === 1 && refused === 0 ? present[0] : undefined, candidates: present.length > 0 ? present : absent }
}
