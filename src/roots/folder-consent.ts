import type { Settlement } from '../protocol/index.ts'

export interface FolderConsentOptions {
  /** Milliseconds that a request waits for a person where the server can be told later that its list has changed. */
  readonly patience: number
  /** Calls back after so many milliseconds. @returns the function that prevents it */
  readonly after: (milliseconds: number, action: () => void) => () => void
}

export interface Asker {
  readonly signal: AbortSignal
  /** The server hears of a decision that comes later: it gets what is decided already, and does not wait for more. */
  readonly hearsLater: boolean
}

/** How a review ended, or that it goes on and its asker does not wait any longer. */
export type ConsentOutcome = Settlement<'folders'> | { readonly outcome: 'later' }

interface Asking {
  readonly end: Promise<Settlement<'folders'>>
  readonly stop: AbortController
  /** The time that askers have who can hear later. */
  readonly patience: Promise<void>
  waiting: number
  /** Somebody was told to wait for the change: the review outlives the requests. */
  isPromised: boolean
}

/** The question to a person which folders one server may know, over one connection: asked once at a time, however many requests wait for it. */
export class FolderConsent {
  readonly #options: FolderConsentOptions
  #asking: Asking | undefined
  #decision: 'grant' | 'deny' | undefined
  #closed = false

  constructor(options: FolderConsentOptions) {
    this.#options = options
  }

  /** What a person said last over this connection; closing the question is not saying anything. */
  get decision(): 'grant' | 'deny' | undefined {
    return this.#decision
  }

  /**
   * Waits for what a person says; asks, where nobody is asked yet.
   *
   * @param open gets the signal that ends the review: all who waited have taken their requests back, or the connection is closed
   */
  async ask(open: (signal: AbortSignal) => Promise<Settlement<'folders'>>, { signal, hearsLater }: Asker): Promise<ConsentOutcome> {
    if (this.#closed || signal.aborted) return { outcome: 'withdrawn', reason: reasonOf(signal) }
    const asking = (this.#asking ??= this.#begin(open))
    asking.waiting += 1
    let leave = (): void => undefined
    const left = new Promise<ConsentOutcome>((resolve) => {
      leave = () => resolve({ outcome: 'withdrawn', reason: reasonOf(signal) })
      signal.addEventListener('abort', leave, { once: true })
    })
    const patience = asking.patience.then((): ConsentOutcome => ({ outcome: 'later' }))
    const outcome = await Promise.race([asking.end, left, ...(hearsLater ? [patience] : [])]).finally(() => {
      signal.removeEventListener('abort', leave)
      asking.waiting -= 1
    })
    if (outcome.outcome === 'later') asking.isPromised = true
    if (outcome.outcome === 'withdrawn' && asking.waiting === 0 && !asking.isPromised) asking.stop.abort(new Error(outcome.reason))
    return outcome
  }

  /** Ends the review. Safe to call twice. */
  close(): void {
    this.#closed = true
    this.#asking?.stop.abort(new Error('the connection was closed'))
  }

  #begin(open: (signal: AbortSignal) => Promise<Settlement<'folders'>>): Asking {
    const stop = new AbortController()
    let cancelPatience = (): void => undefined
    const patience = new Promise<void>((resolve) => {
      cancelPatience = this.#options.after(this.#options.patience, resolve)
    })
    const end = open(stop.signal)
      .then((settlement) => {
        if (settlement.outcome === 'decided' && settlement.decision.action !== 'cancel') this.#decision = settlement.decision.action
        return settlement
      })
      .finally(() => {
        cancelPatience()
        this.#asking = undefined
      })
    // Whoever still waits hears of it; nobody else has to.
    end.catch(() => undefined)
    return { end, stop, patience, waiting: 0, isPromised: false }
  }
}

function reasonOf(signal: AbortSignal): string {
  const { reason } = signal as { reason: unknown }
  return reason instanceof Error ? reason.message : 'the connection was closed'
}
