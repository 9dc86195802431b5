import type { Disk } from './disk.ts'
import { followLinks, type Followed } from './follow-links.ts'
import type { PathProblem } from './path-problem.ts'
import { isSamePlace, isWithin, pathOf, placeAt, placeBelow, readPlace, resolveDots, topOf, type Place, type Platform } from './place.ts'
import { foldName } from './windows-names.ts'

/** What is to be done at a path. */
export type Operation = 'read' | 'write' | 'list' | 'create'

export interface GrantedRoot {
  /** Absolute, as it was told. */
  readonly path: string
  /** Where it really was when it was granted. Default: where it is now. */
  readonly granted?: string | undefined
}

export interface ContainmentQuestion {
  readonly roots: readonly GrantedRoot[]
  readonly path: string
  readonly operation: Operation
}

/** Why a path is denied, as a key with its English sentence. Of what lies outside, only that it does. */
export const denials = {
  'no-roots': 'No folder is granted that is there now.',
  'not-a-path': 'This is no path that can be opened: empty, a URI, a "~" form, or holding characters that no path holds.',
  'illegal-name': 'A name in this path reaches something else than it says on Windows.',
  'too-long': 'A name or the whole path is longer than the system takes.',
  ambiguous: 'The relative path does not belong to exactly one root; give the whole path.',
  'dangling-link': 'The last name is a link to nothing; writing there would create whatever it names.',
  unreadable: 'What lies at this path cannot be found out.',
  outside: 'The path does not lie in any granted root.',
} as const

export type Denial = keyof typeof denials

/** `place` is where the path really leads, links followed. */
export type Verdict = { readonly verdict: 'allow'; readonly place: string } | { readonly verdict: 'deny'; readonly denial: Denial; readonly reason: string }

const LONGEST: Readonly<Record<Platform, { readonly name: number; readonly path: number }>> = {
  posix: { name: 255, path: 4095 },
  win32: { name: 255, path: 32_767 },
}
/** `~`, `~/…` and `~user/…`; a name such as `~$letter.docx` is a name. */
const HOME_FORM = /^~(?:$|[\w.-]*[/\\])/
const POSIX_HOME_FORM = /^~(?:$|[\w.-]*\/)/
const URI = /^[a-z][a-z0-9+.-]*:\/\//i

/**
 * Decides whether a path lies in one of the roots, by where it really leads and never by its text.
 *
 * Speaks about the boundary only: the system may still say that nothing is there. Hard links cannot be told apart, and what is
 * opened later may have been swapped meanwhile: whoever opens must check again what was opened.
 */
export async function judgePath({ roots, path, operation }: ContainmentQuestion, disk: Disk): Promise<Verdict> {
  const { platform } = disk
  if (isNoPath(path, platform)) return deny('not-a-path')
  if (isTooLong(path, platform)) return deny('too-long')
  const reading = readPlace(path, platform)
  if (!reading.ok && reading.problem !== 'relative') return refuseText(reading.problem)

  const granted = await findRoots(roots, disk)
  if (granted.length === 0) return deny('no-roots')
  const walk = { disk, roots: granted, mayVisit: contactable(granted, roots, platform) }
  return reading.ok ? judgePlace(reading.place, operation, walk) : judgeRelative(path, operation, walk)
}

interface Walk {
  readonly disk: Disk
  readonly roots: readonly Place[]
  readonly mayVisit: (place: Place) => boolean
}

async function judgeRelative(path: string, operation: Operation, walk: Walk): Promise<Verdict> {
  const candidates: Place[] = []
  const present: Place[] = []
  for (const root of walk.roots) {
    const whole = `${pathOf(root)}/${path}`
    const reading = readPlace(whole, root.platform)
    if (!reading.ok) return refuseText(reading.problem)
    if (isTooLong(whole, root.platform)) return deny('too-long')
    candidates.push(reading.place)
    if (await isThere(reading.place, walk)) present.push(reading.place)
  }
  if (candidates.length === 1) return judgePlace(candidates[0]!, operation, walk)
  const verdict = present.length === 1 ? await judgePlace(present[0]!, operation, walk) : deny('ambiguous')
  // With several roots, a reason of its own would tell what lies outside them.
  return verdict.verdict === 'allow' ? verdict : deny('ambiguous')
}

async function judgePlace(place: Place, operation: Operation, walk: Walk): Promise<Verdict> {
  const isInside = (one: Place): boolean => !isInProc(one) && walk.roots.some((root) => isWithin(one, root))
  const byText = resolveDots(place)
  // Where `..` follows a link, text and kernel disagree about where it leads: both must be inside.
  const readings = isSamePlace(byText, place) ? [place] : [byText, place]
  let verdict = deny('outside')
  for (const reading of readings) {
    const followed = await follow(reading, walk)
    if (followed.outcome === 'failed') return deny(isInside(followed.at) ? 'unreadable' : 'outside')
    const real = await realPlaceOf(followed, walk.disk)
    if (real === undefined || !isInside(real)) return deny('outside')
    if (followed.outcome === 'missing' && followed.dangling && (operation === 'create' || operation === 'write')) return deny('dangling-link')
    verdict = { verdict: 'allow', place: pathOf(real) }
  }
  return verdict
}

/** The real places of the roots that are there, each once. */
async function findRoots(roots: readonly GrantedRoot[], disk: Disk): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const { path, granted } of roots) {
    const real = await realPlaceOfRoot(path, granted, disk)
    if (real && !places.some((place) => isSamePlace(place, real))) places.push(real)
  }
  return places
}

async function realPlaceOfRoot(path: string, granted: string | undefined, disk: Disk): Promise<Place | undefined> {
  const reading = readPlace(granted ?? path, disk.platform)
  if (!reading.ok) return undefined
  const followed = await follow(reading.place, { disk, mayVisit: (place) => !isInProc(place) })
  const real = followed.outcome === 'found' ? await realPlaceOf(followed, disk) : undefined
  // A granted place that now leads elsewhere was moved or replaced, and that is not what was granted.
  return real && (granted === undefined || isSamePlace(real, resolveDots(reading.place))) ? real : undefined
}

function follow(place: Place, { disk, mayVisit }: Pick<Walk, 'disk' | 'mayVisit'>): Promise<Followed> {
  return followLinks(place, { look: (one) => disk.look(pathOf(one)), mayVisit })
}

/** What does not exist is where its nearest existing folder is. */
async function realPlaceOf(followed: Exclude<Followed, { outcome: 'failed' }>, disk: Disk): Promise<Place | undefined> {
  const existing = followed.outcome === 'found' ? followed.place : followed.existing
  const path = await disk.realPath(pathOf(existing))
  const real = path === undefined ? undefined : placeAt(path, disk.platform)
  if (real === undefined) return undefined
  return followed.outcome === 'found' ? real : resolveDots(placeBelow(real, ...followed.rest))
}

/** A relative path belongs to the root in which its name is there, be it as a link to nothing. */
async function isThere(place: Place, walk: Walk): Promise<boolean> {
  const followed = await follow(place, walk)
  return followed.outcome === 'found' || (followed.outcome === 'missing' && followed.dangling)
}

/** The real `/proc` is outside, whatever is granted; a share that no root names is not even contacted. */
function contactable(places: readonly Place[], roots: readonly GrantedRoot[], platform: Platform): (place: Place) => boolean {
  const written = roots.flatMap(({ path }) => placeAt(path, platform) ?? [])
  const shares = new Set([...places, ...written].filter(({ host }) => host !== '').map(shareOf))
  return (place) => !isInProc(place) && (place.host === '' || shares.has(shareOf(place)))
}

function shareOf(place: Place): string {
  return foldName(pathOf(topOf(place)))
}

/** Texts that no root is asked about: empty, a "~" form, a URI. */
export function isNoPath(path: string, platform: Platform): boolean {
  return path === '' || (platform === 'posix' ? POSIX_HOME_FORM : HOME_FORM).test(path) || URI.test(path)
}

/** The real `/proc` lies in no root, whatever is granted. */
export function isInProc({ platform, names }: Place): boolean {
  return platform === 'posix' && names[0] === 'proc'
}

function isTooLong(path: string, platform: Platform): boolean {
  const limit = LONGEST[platform]
  const length = (text: string): number => (platform === 'posix' ? new TextEncoder().encode(text).length : text.length)
  return length(path) > limit.path || path.split(platform === 'posix' ? '/' : /[\\/]/).some((name) => length(name) > limit.name)
}

function refuseText(problem: PathProblem): Verdict {
  return deny(problem === 'illegal-character' || problem === 'trailing-dot' || problem === 'device-name' ? 'illegal-name' : 'not-a-path')
}

function deny(denial: Denial): Verdict {
  return { verdict: 'deny', denial, reason: denials[denial] }
}
