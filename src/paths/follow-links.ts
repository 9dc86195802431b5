import type { DiskEntry, DiskFault } from './disk.ts'
import { isTop, nameOf, parentOf, pathOf, placeBelow, readPlace, topOf, type Place } from './place.ts'

/** Where a path ends, walked name by name as the system walks it. */
export type Followed =
  | { readonly outcome: 'found'; readonly place: Place; readonly entry: Exclude<DiskEntry, { kind: 'link' | DiskFault }> }
  /** `existing` is the nearest folder that is there; `rest` is what would lie below it, and may hold `..`. */
  | {
      readonly outcome: 'missing'
      readonly existing: Place
      readonly rest: readonly string[]
      /** The last name is a link to nothing: it is there, though what it names is not. */
      readonly dangling: boolean
    }
  /** Nothing can be said of it: a ring of links, a file used as a folder, a place that is closed to us. `at` is where the walk ended. */
  | { readonly outcome: 'failed'; readonly at: Place }

export interface FollowOptions {
  /** What lies at a place whose folders are real; links are told, not followed. */
  readonly look: (place: Place) => Promise<DiskEntry>
  /** Asked before each look: a place that must not even be contacted ends the walk. */
  readonly mayVisit?: ((place: Place) => boolean) | undefined
}

/** As many as Linux follows. */
const MOST_LINKS = 40

/** Follows every link of a place to the end, `..` included, as the kernel reads it. */
export async function followLinks(start: Place, { look, mayVisit = () => true }: FollowOptions): Promise<Followed> {
  let here = topOf(start)
  let ahead = namesBelowTop(start)
  let links = 0
  let endsInLink = false

  for (;;) {
    if (!mayVisit(here)) return { outcome: 'failed', at: here }
    const entry = await look(here)
    switch (entry.kind) {
      case 'link': {
        const target = readTarget(entry.target, here)
        if (target === undefined || (links += 1) > MOST_LINKS) return { outcome: 'failed', at: here }
        endsInLink ||= ahead.length === 0
        here = topOf(target)
        ahead = [...namesBelowTop(target), ...ahead]
        continue
      }
      case 'missing': {
        const folder = parentOf(here)
        return folder
          ? { outcome: 'missing', existing: folder, rest: [nameOf(here), ...ahead], dangling: endsInLink }
          : { outcome: 'missing', existing: here, rest: ahead, dangling: endsInLink }
      }
      case 'denied':
      case 'unreachable':
      case 'failed':
        return { outcome: 'failed', at: here }
      case 'folder':
        break
      case 'file':
      case 'other':
        if (ahead.length > 0) return { outcome: 'failed', at: here }
        break
      default:
        return entry satisfies never
    }
    const [next, ...further] = ahead
    if (next === undefined) return { outcome: 'found', place: here, entry }
    here = next === '..' ? (parentOf(here) ?? here) : placeBelow(here, next)
    ahead = further
  }
}

function namesBelowTop(place: Place): readonly string[] {
  return place.names.slice(topOf(place).names.length)
}

/** The target of a link, against the folder that the link lies in. */
function readTarget(target: string, link: Place): Place | undefined {
  const absolute = readPlace(target, link.platform)
  if (absolute.ok) return absolute.place
  if (absolute.problem !== 'relative') return undefined
  const folder = isTop(link) ? link : parentOf(link)!
  const relative = readPlace(`${pathOf(folder)}/${target}`, link.platform)
  return relative.ok ? relative.place : undefined
}
