import { ConsentryError } from '../errors.ts'
import type { HeldRoot } from '../paths/index.ts'
import { createListeners } from '../protocol/index.ts'
import type { ConfiguredFolders } from './configured-folders.ts'
import type { GrantedPlaces } from './granted-places.ts'
import type { CurrentRoots } from './path-holder.ts'
import { noRoots } from './refusals.ts'
import type { RootSource } from './root-source.ts'

export interface ConnectionRootsOptions {
  readonly source: RootSource | undefined
  readonly places: GrantedPlaces
  readonly folders: ConfiguredFolders
  /** Milliseconds. */
  readonly patienceMs: number
}

/** Somebody who changes the list faster than it can be asked for gets no list that is kept. */
const MOST_ROUNDS = 3

/**
 * The roots of one connection of the legacy era: asked for when first needed, once for all who wait, kept until the client says that they have changed.
 * However often it says so, one question is open at a time, and what is kept is the answer to the last.
 *
 * An error is no answer: it keeps nothing of before, and widens nothing.
 */
export class ConnectionRoots implements CurrentRoots {
  readonly #options: ConnectionRootsOptions
  readonly #listeners = createListeners<{ readonly changed: undefined }>()
  readonly #stop: () => void
  #isClosed = false
  #version = 0
  #paths: readonly string[] | undefined
  #asking: Promise<readonly string[]> | undefined

  constructor(options: ConnectionRootsOptions) {
    this.#options = options
    this.#stop = options.source?.onRootsChanged(() => this.change()) ?? (() => {})
  }

  async list(signal: AbortSignal | undefined): Promise<readonly HeldRoot[]> {
    const { source, places, folders } = this.#options
    if (this.#isClosed) throw noRoots('closed')
    if (source?.era() === 'modern') throw noRoots('needs-call')
    const supported = source?.supportsRoots() ?? false
    if (supported === 'unknown') throw noRoots('not-initialized')
    if (!supported) return folders.instead('unsupported')
    const paths = this.#paths ?? (await this.#answer(signal))
    if (paths === undefined) return folders.instead('failed')
    return paths.length === 0 ? folders.instead('empty') : places.hold(paths)
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.on('changed', listener)
  }

  /** The client's list is another one from now on. */
  change(): void {
    this.#version += 1
    this.#paths = undefined
    this.#listeners.emit('changed', undefined)
  }

  /** Whoever listens looks once more, and finds nothing. */
  close(): void {
    this.#stop()
    this.#isClosed = true
    this.change()
    this.#listeners.clear()
  }

  /** @returns undefined where there was none */
  async #answer(signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined))
    try {
      return await unlessAborted(this.#asking, signal)
    } catch (error) {
      if (signal?.aborted) throw error
      return undefined
    }
  }

  async #ask(): Promise<readonly string[]> {
    const { source, places, patienceMs } = this.#options
    for (let round = 1; ; round += 1) {
      const version = this.#version
      const signal = AbortSignal.timeout(patienceMs)
      const paths = places.readAnswer(await unlessAborted(source!.listRoots({ signal, timeoutMs: patienceMs }), signal))
      if (paths === undefined) throw noRoots('unanswered')
      if (version === this.#version) {
        places.forgetAllBut([...paths, ...this.#options.folders.paths])
        this.#paths = paths
        return paths
      }
      if (round === MOST_ROUNDS) return paths
    }
  }
}

/** One who gives up does not end the question for the others. */
async function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return promise
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(new ConsentryError('CALL_CANCELLED', 'The call that needed folders was cancelled', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    stop = () => signal.removeEventListener('abort', abort)
  })
  return Promise.race([promise, aborted]).finally(() => stop())
}
