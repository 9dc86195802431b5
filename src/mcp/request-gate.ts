export interface RequestGateOptions {
  /** How many requests of one kind are handled at once. */
  readonly atOnce: number
  /** How many of one kind may wait behind them. */
  readonly waiting: number
}

interface Entry {
  readonly lane: Lane
  readonly run: () => void
  state: 'waiting' | 'running'
}

interface Lane {
  running: number
  /** Oldest first. */
  readonly waiting: Map<string, Entry>
}

/**
 * Lets the requests of a server in: each id once at a time, a bounded number at once, the others in their order. Nothing is lost.
 *
 * Each kind has its own lane, so that forms that wait for people do not hold up the folders.
 */
export class RequestGate {
  readonly #options: RequestGateOptions
  readonly #entries = new Map<string, Entry>()
  readonly #lanes = new Map<string, Lane>()

  constructor(options: RequestGateOptions) {
    this.#options = options
  }

  /** Runs the request now or when its turn comes. `duplicate`: one with this id is still open; `full`: too many wait. Neither disturbs another. */
  admit(key: string, kind: string, run: () => void): 'admitted' | 'duplicate' | 'full' {
    if (this.#entries.has(key)) return 'duplicate'
    const lane = this.#lane(kind)
    if (lane.running >= this.#options.atOnce && lane.waiting.size >= this.#options.waiting) return 'full'
    const entry: Entry = { lane, run, state: 'waiting' }
    this.#entries.set(key, entry)
    lane.waiting.set(key, entry)
    this.#advance(lane)
    return 'admitted'
  }

  /** The request is over, answered or taken back. @returns false where none with this id is open */
  release(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#entries.delete(key)
    if (entry.state === 'waiting') entry.lane.waiting.delete(key)
    else entry.lane.running -= 1
    this.#advance(entry.lane)
    return true
  }

  isRunning(key: string): boolean {
    return this.#entries.get(key)?.state === 'running'
  }

  get size(): number {
    return this.#entries.size
  }

  clear(): void {
    this.#entries.clear()
    this.#lanes.clear()
  }

  #advance(lane: Lane): void {
    for (const [key, entry] of lane.waiting) {
      if (lane.running >= this.#options.atOnce) return
      lane.waiting.delete(key)
      lane.running += 1
      entry.state = 'running'
      entry.run()
    }
  }

  #lane(kind: string): Lane {
    const lane = this.#lanes.get(kind) ?? { running: 0, waiting: new Map<string, Entry>() }
    this.#lanes.set(kind, lane)
    return lane
  }
}
