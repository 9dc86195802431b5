import { pathOf, placeAt, readRootPath, readRootUri, type Disk, type HeldRoot, type Place, type RootReading } from '../paths/index.ts'
import { isJsonObject } from '../protocol/index.ts'
import { noRoots } from './refusals.ts'

/** More folders than anybody grants. */
const MOST_ROOTS = 1000
const MOST_REMEMBERED = 10_000

export interface GrantedPlacesOptions {
  readonly disk: Disk
  /** One sentence for the server's log. */
  readonly notice: (sentence: string) => void
}

/**
 * Which real places the granted folders are. A folder is the place that it was when it was first granted: a link that is turned elsewhere later grants nothing there.
 * Those that are not there wait until they are.
 */
export class GrantedPlaces {
  readonly #options: GrantedPlacesOptions
  readonly #places = new Map<string, Place>()

  constructor(options: GrantedPlacesOptions) {
    this.#options = options
  }

  /** Reads what a client answered to `roots/list`, each entry for itself. @returns undefined where it is no answer */
  readAnswer(answer: unknown): readonly string[] | undefined {
    if (!isJsonObject(answer) || !Object.hasOwn(answer, 'roots') || !Array.isArray(answer['roots'])) return undefined
    const { disk, notice } = this.#options
    return answer['roots'].slice(0, MOST_ROOTS).flatMap((root) => {
      const uri: unknown = isJsonObject(root) && Object.hasOwn(root, 'uri') ? root['uri'] : undefined
      const reading: RootReading | undefined = typeof uri === 'string' ? readRootUri(uri, disk.platform) : undefined
      if (reading?.ok) return [reading.path]
      const top = typeof uri === 'string' ? /^file:\/\/\/(?:([a-z]:)\/?)?$/i.exec(uri) : null
      if (top && reading?.problem === 'top-folder') return [top[1] === undefined ? '/' : `${top[1]}\\`]
      notice(`A root of the client is left out: ${reading?.reason ?? 'it has no uri.'}`)
      return []
    })
  }

  /** The folders of the server's own configuration. @throws ConsentryError `ROOT_INVALID` through `refuse` */
  readFolders(folders: readonly string[], refuse: (folder: string, reason: string) => never): readonly string[] {
    return folders.map((folder) => {
      const reading = readRootPath(folder, this.#options.disk.platform)
      if (reading.ok) return reading.path
      return reading.problem === 'top-folder' ? folder : refuse(folder, reading.reason)
    })
  }

  /** Those that are there, or were when they were granted. @throws ConsentryError `ROOTS_UNAVAILABLE` where that is none */
  async hold(paths: readonly string[]): Promise<readonly HeldRoot[]> {
    const held = await Promise.all(
      paths.map(async (path) => {
        const real = this.#places.get(path) ?? (await this.#find(path))
        return real === undefined ? [] : [{ path, real }]
      }),
    )
    if (held.every((one) => one.length === 0)) throw noRoots('gone', paths)
    return held.flat()
  }

  /** What is granted no longer may be granted anew, as the place that it is then. */
  forgetAllBut(paths: readonly string[]): void {
    for (const path of this.#places.keys()) if (!paths.includes(path)) this.#places.delete(path)
  }

  async #find(path: string): Promise<Place | undefined> {
    const { disk } = this.#options
    const real = await disk.realPath(path)
    const place = real === undefined ? undefined : placeAt(real, disk.platform)
    if (!place || this.#places.size >= MOST_REMEMBERED) return place
    // Whoever was first has granted it.
    const known = this.#places.get(path) ?? place
    this.#places.set(path, known)
    return placeAt(pathOf(known), disk.platform)
  }
}
