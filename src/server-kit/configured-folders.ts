import { ConsentryError } from '../errors.ts'
import type { HeldRoot } from '../paths/index.ts'
import type { GrantedPlaces } from './granted-places.ts'
import { noRoots, type RootGap } from './refusals.ts'

/** `unsupported`: the client knows no roots. `empty`: it grants none. `failed`: it gave no answer. */
export type FolderOccasion = 'unsupported' | 'empty' | 'failed'

export interface FolderOptions {
  /** Absolute folders or files of the server's own configuration. Default: none, so that without roots nothing can be used. */
  readonly folders?: readonly string[] | undefined
  /** When those hold. Default: only where the client knows no roots, so that they never widen what a client has said. */
  readonly foldersWhen?: readonly FolderOccasion[] | undefined
}

const gaps: Readonly<Record<FolderOccasion, RootGap>> = { unsupported: 'unsupported', empty: 'none', failed: 'unanswered' }

/** What a server falls back to: folders that its operator named, or nothing. Never the current folder, never a home folder. */
export class ConfiguredFolders {
  readonly #places: GrantedPlaces
  readonly #paths: readonly string[]
  readonly #when: readonly FolderOccasion[]
  readonly #notice: (sentence: string) => void

  /** @throws ConsentryError `ROOT_INVALID` */
  constructor({ folders = [], foldersWhen = ['unsupported'] }: FolderOptions, places: GrantedPlaces, notice: (sentence: string) => void) {
    this.#places = places
    this.#when = foldersWhen
    this.#notice = notice
    this.#paths = places.readFolders(folders, (folder, reason) => {
      throw new ConsentryError('ROOT_INVALID', `folders: ${folder}: ${reason}`)
    })
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  /** @throws ConsentryError `ROOTS_UNAVAILABLE` */
  async instead(occasion: FolderOccasion): Promise<readonly HeldRoot[]> {
    if (this.#paths.length === 0 || !this.#when.includes(occasion)) throw noRoots(gaps[occasion])
    this.#notice(`${noRoots(gaps[occasion]).message} The configured folders hold in their place.`)
    return this.#places.hold(this.#paths)
  }
}
