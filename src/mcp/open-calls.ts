import { ConsentryError } from '../errors.ts'
import type { ParentCall } from '../protocol/index.ts'
import { CallClock, type CallTimeouts } from './call-clock.ts'
import type { Clock } from './clock.ts'
import { visitGivenUp } from './follow-visit.ts'
import { onAbort } from './on-abort.ts'

/** One request of ours from its start to its end, however many times it is sent. */
export interface OpenCall {
  readonly parent: ParentCall | undefined
  readonly clock: CallClock
  /** Aborted with a ConsentryError when the call ends early. */
  readonly signal: AbortSignal
  /** The call is over, with whatever result. */
  finish(): void
}

/** A request of the server that waits here. */
export interface OpenQuestion {
  /** The call that it came in the middle of, as far as anybody can tell. */
  readonly call: ParentCall | undefined
  /** Aborted when the server takes it back, or when the calls that it can belong to were ended early. */
  readonly signal: AbortSignal
  done(): void
  /** Somebody was sent to a page: until they are done there, the calls that it can belong to are not charged either. Undefined where it belongs to none. */
  follow(): OpenVisit | undefined
}

/** A page that somebody was sent to, in the middle of a call. */
export interface OpenVisit {
  readonly call: ParentCall | undefined
  /** Aborted when the calls that it can belong to are over. */
  readonly signal: AbortSignal
  /** The person gives up: so ends the call, where there is no doubt which one it is. */
  giveUp(): void
  done(): void
}

interface Candidate {
  readonly controller: AbortController
  readonly calls: ReadonlySet<OpenCall>
  readonly isVisit: boolean
}

/**
 * The calls that are open on one connection and the questions that wait on it.
 *
 * A legacy question does not say which call it belongs to: it is named only where one is open, and while any waits no call is charged for the server's time.
 */
export class OpenCalls {
  readonly #clock: Clock
  readonly #calls = new Map<OpenCall, (reason: ConsentryError) => void>()
  readonly #questions = new Set<Candidate>()
  readonly #resume = new Map<OpenCall, (() => void)[]>()
  readonly #idle: (() => void)[] = []
  #closed: ConsentryError | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  open(parent: ParentCall | undefined, timeouts: CallTimeouts, signal?: AbortSignal): OpenCall {
    const controller = new AbortController()
    const end = (reason: ConsentryError): void => {
      if (controller.signal.aborted || !this.#calls.has(call)) return
      finish()
      controller.abort(reason)
      this.#withdraw(call, reason)
    }
    let stopWatching = (): void => {}
    const cancel = (): void => end(new ConsentryError('CALL_CANCELLED', 'The call was cancelled', { cause: signal?.reason }))
    const finish = (): void => {
      stopWatching()
      call.clock.stop()
      this.#calls.delete(call)
      this.#resume.delete(call)
      this.#endVisits(call)
      if (this.#calls.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
    const clock = new CallClock(this.#clock, timeouts, (whose) => end(timedOut(whose, timeouts)))
    const call: OpenCall = { parent, clock, signal: controller.signal, finish }
    this.#calls.set(call, end)
    this.#resume.set(
      call,
      [...this.#questions].map(() => clock.pause()),
    )
    if (this.#closed) end(this.#closed)
    else if (signal?.aborted) cancel()
    else if (signal) stopWatching = onAbort(signal, cancel)
    return call
  }

  /** The server asks something. @param takenBack aborted when it does not want the answer any more */
  ask(takenBack: AbortSignal): OpenQuestion {
    const calls = new Set(this.#named())
    const [controller, done] = this.#follow(calls, false)
    if (this.#closed) controller.abort(this.#closed)
    const call = parentAmong(calls)
    return {
      call,
      signal: AbortSignal.any([takenBack, controller.signal]),
      done,
      follow: () => this.#visit(call, new Set([...calls].filter((one) => this.#calls.has(one)))),
    }
  }

  #visit(call: ParentCall | undefined, calls: ReadonlySet<OpenCall>): OpenVisit | undefined {
    if (calls.size === 0) return undefined
    const [{ signal }, done] = this.#follow(calls, true)
    const giveUp = (): void => {
      const [only] = calls
      if (calls.size === 1) this.giveUp(only!)
    }
    return { call, signal, giveUp, done }
  }

  /** No call is charged for the server's time until the function that is returned has been called. */
  #follow(calls: ReadonlySet<OpenCall>, isVisit: boolean): readonly [AbortController, () => void] {
    const candidate: Candidate = { controller: new AbortController(), calls, isVisit }
    this.#questions.add(candidate)
    for (const [call, resume] of this.#resume) resume.push(call.clock.pause())
    const done = (): void => {
      if (!this.#questions.delete(candidate)) return
      for (const resume of this.#resume.values()) resume.pop()?.()
    }
    return [candidate.controller, done]
  }

  /** Somebody who was sent to a page by it wants no more of this call. */
  giveUp(call: OpenCall): void {
    this.#calls.get(call)?.(visitGivenUp())
  }

  /** Resolves when no call is open. */
  idle(): Promise<void> {
    return this.#calls.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Ends every call, and whatever comes after it, at once. */
  close(reason: ConsentryError): void {
    this.#closed = reason
    this.endAll(reason)
  }

  /** Ends every call that is open, and withdraws every question. */
  endAll(reason: ConsentryError): void {
    for (const end of this.#calls.values()) end(reason)
    for (const { controller } of this.#questions) controller.abort(reason)
  }

  #named(): readonly OpenCall[] {
    return [...this.#calls.keys()].filter(({ parent }) => parent !== undefined)
  }

  /** A question goes when a call that it can belong to ended early and no other one is open. */
  #withdraw(ended: OpenCall, reason: ConsentryError): void {
    for (const { controller, calls } of this.#questions) {
      if (calls.has(ended) && this.#areOver(calls)) controller.abort(reason)
    }
  }

  /** Nobody has to be on a page for a call that has its result. */
  #endVisits(ended: OpenCall): void {
    for (const { controller, calls, isVisit } of this.#questions) {
      if (isVisit && calls.has(ended) && this.#areOver(calls)) controller.abort(new ConsentryError('CALL_CANCELLED', 'The call is over'))
    }
  }

  #areOver(calls: ReadonlySet<OpenCall>): boolean {
    return [...calls].every((call) => !this.#calls.has(call))
  }
}

function parentAmong(calls: ReadonlySet<OpenCall>): ParentCall | undefined {
  const [only] = calls
  return calls.size > 1 ? { kind: 'one-of', count: calls.size } : only?.parent
}

function timedOut(whose: 'machine' | 'human', { callTimeoutMs, humanTimeoutMs }: CallTimeouts): ConsentryError {
  const message =
    whose === 'human'
      ? `Nobody answered the server's questions within ${Math.round(humanTimeoutMs / 60_000)} minutes`
      : `The server did not answer within ${Math.round(callTimeoutMs / 1000)} seconds`
  return new ConsentryError('CALL_TIMED_OUT', message, { data: { clock: whose } })
}
