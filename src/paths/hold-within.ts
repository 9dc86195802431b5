import type { Anchor } from './anchor.ts'
import { isInProc, isNoPath, judgePath, type Denial, type GrantedRoot, type Operation } from './containment.ts'
import type { Disk, DiskFault } from './disk.ts'
import { isSamePlace, isWithin, pathOf, placeAt, readPlace, type Place } from './place.ts'

/** A root that was there when it was granted. */
export interface HeldRoot {
  /** Absolute, as it was told. */
  readonly path: string
  /** Where it really was then. */
  readonly real: Place
}

export interface HoldQuestion {
  readonly roots: readonly HeldRoot[]
  readonly path: string
  readonly operation: Operation
}

/** Either an object inside a root, held; or a place inside where nothing can be held (`missing`: nothing is there); or why not. */
export type HoldOutcome =
  | { readonly outcome: 'held'; readonly anchor: Anchor }
  | { readonly outcome: 'absent'; readonly place: Place; readonly fault: DiskFault }
  | { readonly outcome: 'denied'; readonly denial: Denial }

export interface HoldNeeds {
  readonly disk: Disk
  readonly openAnchor: (path: string) => Promise<Anchor | DiskFault>
}

/** Somebody who swaps names that fast means no good. */
const MOST_TRIES = 3

/**
 * Takes hold of what a path leads to where that lies in a root: decided on the object that is held, so that no swap of names comes in between.
 *
 * Where the object lies exactly where its path says, one look is enough, however deep it lies; where links lead there, every step is judged.
 */
export async function holdWithin(question: HoldQuestion, { disk, openAnchor }: HoldNeeds): Promise<HoldOutcome> {
  const straight = findStraight(question)
  if (straight) {
    const anchor = await openAnchor(pathOf(straight))
    if (typeof anchor !== 'string') {
      if (isSamePlace(anchor.place, straight)) return { outcome: 'held', anchor }
      anchor.close()
    }
  }
  const roots = question.roots.map(({ path, real }): GrantedRoot => ({ path, granted: pathOf(real) }))
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const verdict = await judgePath({ ...question, roots }, disk)
    if (verdict.verdict === 'deny') return { outcome: 'denied', denial: verdict.denial }
    const anchor = await openAnchor(verdict.place)
    if (typeof anchor === 'string') return { outcome: 'absent', place: placeAt(verdict.place, disk.platform)!, fault: anchor }
    if (isInside(anchor.place, question.roots)) return { outcome: 'held', anchor }
    anchor.close()
  }
  return { outcome: 'denied', denial: 'outside' }
}

/** Whether a place without links and dots lies in a root; `/proc` lies in none. */
export function isInside(place: Place, roots: readonly HeldRoot[]): boolean {
  return !isInProc(place) && roots.some(({ real }) => isWithin(place, real))
}

/** The place that a path names where no step of it can mean two things: inside a root by its text, without `..`. */
function findStraight({ roots, path }: HoldQuestion): Place | undefined {
  const platform = roots[0]?.real.platform
  if (platform === undefined || isNoPath(path, platform)) return undefined
  const reading = readPlace(path, platform)
  const place = reading.ok ? reading.place : roots.length === 1 && reading.problem === 'relative' ? readBelow(roots[0]!.real, path) : undefined
  if (!place || place.names.includes('..') || isInProc(place)) return undefined
  return roots.some(({ real }) => isWithin(place, real)) ? place : undefined
}

function readBelow(root: Place, path: string): Place | undefined {
  const reading = readPlace(`${pathOf(root)}/${path}`, root.platform)
  return reading.ok ? reading.place : undefined
}
