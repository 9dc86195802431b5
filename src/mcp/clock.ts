import { onAbort } from './on-abort.ts'

/** Time, passed in so that tests can turn it. In milliseconds. */
export interface Clock {
  /** Never goes back. */
  now(): number
  /** Runs the action once. @returns the function that prevents it */
  after(milliseconds: number, action: () => void): () => void
}

/** Longer timers fire after one millisecond. */
export const longestTimer = 2_147_483_647

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, milliseconds), longestTimer))
    return () => clearTimeout(timer)
  },
}

/** Waits. Rejects with the signal's reason when it is aborted first, and leaves no timer behind. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => {}
  const rest = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve)
  })
  return unlessAborted(rest, signal).finally(cancel)
}

/** The outcome of some work, or the signal's reason if that comes first: for work that may ignore its signal. */
export function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    const stopWatching = onAbort(signal, stop)
    work.then(resolve, reject).finally(stopWatching)
  })
}

/** The outcome of some work, or undefined when it takes longer. The work goes on. */
export function within<Value>(clock: Clock, milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => resolve(undefined))
    work.then(resolve, reject).finally(cancel)
  })
}
