import { followLinks } from '../paths/follow-links.ts'
import { isSamePlace, isWithin, judgeFolder, pathOf, placeAt, type Disk, type Judgement, type Place } from '../paths/index.ts'
import type { Phrase, RootStatus } from '../protocol/index.ts'
import { isInGitFolder } from './find-checkouts.ts'
import { findPlace } from './find-real-place.ts'
import { concernPhrase } from './root-phrase.ts'

interface Surroundings {
  readonly home?: Place | undefined
  readonly state?: Place | undefined
  readonly own?: Place | undefined
}

export interface FolderJudgeOptions {
  readonly disk: Disk
  /** What `~` stands for. */
  readonly home?: string | undefined
  /** Where our own config and audit log lie. */
  readonly state?: string | undefined
  /** A folder that the program made itself, of which there is nothing to mind, wherever it lies. */
  readonly own?: string | undefined
}

/** Says what telling a server about a folder needs. The disk is asked once about what many folders have in common. */
export class FolderJudge {
  readonly #options: FolderJudgeOptions
  readonly #gitFolders = new Map<string, Promise<boolean>>()
  #surroundings: Promise<Surroundings> | undefined

  constructor(options: FolderJudgeOptions) {
    this.#options = options
  }

  /** Judges a folder by where it really lies, links followed. What is not there, or `unreachable`, is judged by its path. */
  async judge(path: string, status?: RootStatus): Promise<Judgement> {
    const { disk } = this.#options
    const surroundings = await (this.#surroundings ??= this.#findSurroundings())
    if (status === 'unreachable') return judgeFolder(placeAt(path, disk.platform)!, surroundings)
    const place = await findPlace(path, disk)
    if (surroundings.own && isWithin(place!, surroundings.own)) return { level: 'ok' }
    const judgement = judgeFolder(place!, surroundings)
    if (judgement.level === 'block') return judgement
    if (await this.#leadsThroughKernel(placeAt(path, disk.platform)!, place!)) return { level: 'block', concern: 'kernel' }
    return (await isInGitFolder(place!, disk, this.#gitFolders)) ? { level: 'block', concern: 'git-dir' } : judgement
  }

  /** Asks the disk anew from now on. */
  forget(): void {
    this.#gitFolders.clear()
    this.#surroundings = undefined
  }

  /** `/proc/self/cwd` leads somewhere else for each process: what we see there is not what the server would, by whatever link one comes there. */
  async #leadsThroughKernel(written: Place, real: Place): Promise<boolean> {
    if (isInKernel(written)) return true
    if (isSamePlace(written, real)) return false
    const followed = await followLinks(written, { look: (place) => this.#options.disk.look(pathOf(place)), mayVisit: (place) => !isInKernel(place) })
    return followed.outcome === 'failed' && isInKernel(followed.at)
  }

  async #findSurroundings(): Promise<Surroundings> {
    const { disk, home, state, own } = this.#options
    const [homePlace, statePlace, ownPlace] = await Promise.all(
      [home, state, own].map(async (path) => (path === undefined ? undefined : findPlace(path, disk))),
    )
    return { home: homePlace, state: statePlace, own: ownPlace }
  }
}

function isInKernel(place: Place): boolean {
  return judgeFolder(place, {}).concern === 'kernel'
}

/** What to show before consent; undefined where there is nothing to warn of. */
export function warningOf({ concern }: Judgement): Phrase | undefined {
  return concern && concernPhrase(concern)
}
