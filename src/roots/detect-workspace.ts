import {
  isSamePlace,
  judgeFolder,
  nameOf,
  openNodeDisk,
  parentOf,
  pathOf,
  readRootPath,
  type Disk,
  type FolderLevel,
  type Place,
  type Surroundings,
} from '../paths/index.ts'
import type { Phrase } from '../protocol/index.ts'
import type { Evidence } from './evidence.ts'
import { isInGitFolder } from './find-checkouts.ts'
import { findPlace, findRealPlace } from './find-real-place.ts'
import { concernPhrase, rootPhrase } from './root-phrase.ts'
import { searchUpward, type ProjectFolder } from './search-upward.ts'

export interface DetectOptions {
  /** Default: the disk of this machine. */
  readonly disk?: Disk | undefined
  readonly home: string
  /** Default: `/tmp` and `/var/tmp`. */
  readonly temporary?: readonly string[] | undefined
  /** Folders that the search does not enter from below (`GIT_CEILING_DIRECTORIES`). */
  readonly ceilings?: readonly string[] | undefined
  /** Where our own config and audit log lie. */
  readonly state?: string | undefined
}

/** A folder that could be the project. */
export interface Candidate {
  readonly path: string
  /** Absent where no root can have this path. */
  readonly uri?: string | undefined
  readonly name: string
  readonly evidence: readonly Evidence[]
  readonly level: FolderLevel
  /** Why it is proposed, or why it needs a second look. */
  readonly why: Phrase
}

const RANKS = ['checkout', 'workspace', 'package'] as const

/**
 * Finds the folders that could be the project around `start`, best first: the nearest checkout, else the nearest workspace that
 * counts `start` as its own, else the nearest package, else `start` itself. There is always one.
 *
 * Only the disk is read: nothing is run, no config is evaluated. The search never climbs to the home folder, to the top, or to another device.
 */
export async function detectWorkspace(start: string, options: DetectOptions): Promise<readonly [Candidate, ...Candidate[]]> {
  const { disk = openNodeDisk(), ceilings = [] } = options
  const place = await resolveStart(start, disk)
  if (!place) return [{ path: start, name: start, evidence: [], level: 'block', why: rootPhrase('folder-missing', {}) }]
  const surroundings = await resolveSurroundings({ ...options, disk })
  const self = candidateAt(place, [], surroundings)
  if (!(await disk.canRead(self.path, 'folder'))) return [{ ...self, level: 'block', why: rootPhrase('not-listable', {}) }]
  if (self.level === 'block') return [self]
  if (await isInGitFolder(place, disk)) return [{ ...self, level: 'block', why: concernPhrase('git-dir'), evidence: [{ kind: 'git-dir', file: 'HEAD' }] }]

  const stops = [...(surroundings.temporary ?? []), ...(await findPlaces(ceilings, disk))]
  const found = await searchUpward(place, { disk, home: surroundings.home, stops })
  const best = RANKS.map((rank) => found.find((folder) => folder.rank === rank)).find((folder) => folder !== undefined)
  if (!best) return [self]
  const propose = (folder: ProjectFolder): Candidate => candidateAt(folder.place, folder.evidence, surroundings)
  const isStartAmong = found.some((folder) => isSamePlace(folder.place, place))
  return [propose(best), ...found.filter((folder) => folder !== best).map(propose), ...(isStartAmong ? [] : [self])]
}

function candidateAt(place: Place, evidence: readonly Evidence[], surroundings: Surroundings): Candidate {
  const path = pathOf(place)
  const root = readRootPath(path, place.platform)
  const proposal = { path, uri: root.ok ? root.uri : undefined, name: nameOf(place), evidence }
  const { level, concern } = judgeFolder(place, surroundings)
  if (concern) return { ...proposal, level, why: concernPhrase(concern) }
  if (evidence.length === 0) return { ...proposal, level: 'confirm', why: rootPhrase('no-evidence', {}) }
  return { ...proposal, level, why: rootPhrase('holds-evidence', { files: evidence.map(({ file }) => file) }) }
}

/** A file stands for its folder; what leads nowhere is undefined. */
async function resolveStart(start: string, disk: Disk): Promise<Place | undefined> {
  const place = await findRealPlace(start, disk)
  const { kind } = place ? await disk.inspect(pathOf(place)) : { kind: undefined }
  return kind === 'file' || kind === 'other' ? parentOf(place!) : kind === 'folder' ? place : undefined
}

async function resolveSurroundings({
  disk,
  home,
  temporary = ['/tmp', '/var/tmp'],
  state = '',
}: DetectOptions & { readonly disk: Disk }): Promise<Surroundings> {
  return { home: await findPlace(home, disk), temporary: await findPlaces(temporary, disk), state: await findPlace(state, disk) }
}

async function findPlaces(paths: readonly string[], disk: Disk): Promise<readonly Place[]> {
  const places = await Promise.all(paths.map((path) => findPlace(path, disk)))
  return places.filter((place) => place !== undefined)
}
