import type { Anchor, Disk, HeldRoot, HoldNeeds, Operation, Place } from '../paths/index.ts'
import { holdWithin, isInside, isSamePlace, isWithin, nameOf, parentOf, pathOf, placeAt, placeBelow, readPlace } from '../paths/index.ts'
import type { FileOptions, WriteOptions } from './file-results.ts'
import { findCandidates } from './find-candidates.ts'
import { cannotUse, noRoots, ourError, refusePath } from './refusals.ts'

/** The roots that hold at this moment. */
export interface CurrentRoots {
  /** @throws ConsentryError `ROOTS_UNAVAILABLE` */
  list(signal: AbortSignal | undefined): Promise<readonly HeldRoot[]>
  /** @returns the function that undoes it */
  onChange(listener: () => void): () => void
}

export interface PathHolderOptions {
  readonly roots: CurrentRoots
  readonly disk: Disk
  readonly openAnchor: HoldNeeds['openAnchor']
}

/** A path that was judged: what it leads to, held; or the place inside a root where nothing is. */
export type Found = { readonly anchor: Anchor } | { readonly place: Place }

const MOST_TRIES = 3

/** Takes hold of what paths lead to, or says why not, in words that tell nothing of what lies outside the roots. */
export class PathHolder {
  readonly #options: PathHolderOptions

  constructor(options: PathHolderOptions) {
    this.#options = options
  }

  /** Close the anchor. */
  async find(path: string, operation: Operation, { signal }: FileOptions): Promise<Found> {
    const roots = await this.#options.roots.list(signal)
    const told = pathsOf(roots)
    const outcome = await holdWithin({ roots, path: await this.#whole(path, roots), operation }, this.#options)
    if (outcome.outcome === 'held') return outcome
    if (outcome.outcome === 'absent' && outcome.fault !== 'missing') throw cannotUse(outcome.fault === 'denied' ? 'no-access' : 'failed', pathOf(outcome.place))
    const mayBeGone = outcome.outcome === 'absent' || outcome.denial === 'outside' || outcome.denial === 'no-roots'
    if (mayBeGone && (await this.#rootIsGone(path, roots))) throw noRoots('gone', told)
    if (outcome.outcome === 'absent') return outcome
    throw outcome.denial === 'no-roots' ? noRoots('none') : refusePath(outcome.denial, told)
  }

  /** Acts on what is there. */
  async use<Result>(path: string, operation: Operation, options: FileOptions, action: (anchor: Anchor) => Promise<Result>): Promise<Result> {
    const found = await this.find(path, operation, options)
    if (!('anchor' in found)) throw cannotUse('not-found', pathOf(found.place))
    return closing(found.anchor, action)
  }

  /** Acts in the folder around a place that was judged. @returns undefined where that folder is in no root itself */
  async useFolderOf<Result>(place: Place, { parents = false, signal }: WriteOptions, action: (folder: Anchor) => Promise<Result>): Promise<Result | undefined> {
    const above = parentOf(place)
    const roots = await this.#options.roots.list(signal)
    return above && isInside(above, roots) ? closing(await this.#holdFolder(above, roots, parents), action) : undefined
  }

  /** Acts on an entry itself, a link not followed: on its folder, which is held, and its name. */
  async useEntry<Result>(
    path: string,
    { parents = false, ...options }: WriteOptions,
    action: (folder: Anchor, name: string) => Promise<Result>,
  ): Promise<Result> {
    const roots = await this.#options.roots.list(options.signal)
    const reading = readPlace(await this.#whole(path, roots), this.#options.disk.platform)
    const above = reading.ok ? parentOf(reading.place) : undefined
    const name = reading.ok ? reading.place.names.at(-1) : undefined
    if (!reading.ok || !above || name === undefined || name === '..' || roots.some(({ real }) => isSamePlace(real, reading.place))) {
      // What is no path, or lies outside, is refused as it would be anywhere else.
      return this.use(path, 'read', options, ({ place }) => Promise.reject(cannotUse('is-root', pathOf(place))))
    }
    const found = await this.find(pathOf(above), 'list', options)
    const anchor = 'anchor' in found ? found.anchor : await this.#holdFolder(found.place, roots, parents)
    return closing(anchor, (folder) => {
      const place = placeBelow(folder.place, name)
      if (roots.some(({ real }) => isWithin(real, place))) throw cannotUse('is-root', pathOf(place))
      return action(folder, name)
    })
  }

  /** A relative path in the one root that it can belong to; what is no path at all as it is. */
  async #whole(path: string, roots: readonly HeldRoot[]): Promise<string> {
    const { belongs, candidates } = await findCandidates(path, roots, this.#options)
    if (belongs === undefined) throw refusePath('ambiguous', pathsOf(roots), candidates)
    return belongs
  }

  /** Says nothing of anything but roots. */
  async #rootIsGone(path: string, roots: readonly HeldRoot[]): Promise<boolean> {
    const { disk, openAnchor } = this.#options
    const place = placeAt(path, disk.platform)
    // A relative path was searched in all of them.
    const around = roots.filter(({ real, path: told }) => !place || isWithin(place, real) || isWithin(place, placeAt(told, disk.platform) ?? real))
    for (const { real } of around) {
      const anchor = await openAnchor(pathOf(real))
      if (typeof anchor === 'string') return true
      anchor.close()
      if (!isSamePlace(anchor.place, real)) return true
    }
    return false
  }

  async #holdFolder(place: Place, roots: readonly HeldRoot[], parents: boolean): Promise<Anchor> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const anchor = await this.#options.openAnchor(pathOf(place))
      if (typeof anchor !== 'string') {
        if (isInside(anchor.place, roots) && isSamePlace(anchor.place, place)) return anchor
        anchor.close()
        continue
      }
      const above = parentOf(place)
      if (anchor !== 'missing' || !parents || !above || !isInside(above, roots)) throw cannotUse(anchor === 'denied' ? 'no-access' : 'not-found', pathOf(place))
      await closing(await this.#holdFolder(above, roots, parents), (folder) =>
        folder.makeFolder(nameOf(place)).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? undefined : Promise.reject(error))),
      )
    }
    throw cannotUse('changed', pathOf(place))
  }
}

async function closing<Result>(anchor: Anchor, action: (anchor: Anchor) => Promise<Result>): Promise<Result> {
  try {
    return await action(anchor)
  } catch (error) {
    throw ourError(error, pathOf(anchor.place))
  } finally {
    anchor.close()
  }
}

function pathsOf(roots: readonly HeldRoot[]): readonly string[] {
  return roots.map(({ real }) => pathOf(real))
}
