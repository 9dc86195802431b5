import { ConsentryError } from '../errors.ts'
import type { InputRequest, InputResponse, UrlWait } from '../protocol/index.ts'
import type { FromDesk, ToDesk } from './remote-messages.ts'
import { unansweredResponse } from './unanswered.ts'

type WaitOutcome = Extract<FromDesk, { readonly type: 'waited' }>['outcome']
type End = InputResponse | WaitOutcome

/** A question that has not ended, with what the desk is told of it. */
interface OpenQuestion {
  readonly message: Extract<ToDesk, { readonly type: 'ask' | 'wait' }>
  readonly signal: AbortSignal
  readonly withdraw: () => void
  readonly settle: (end: End) => void
  /** How it ends where nobody can be asked. */
  readonly unanswered: (why: ConsentryError) => End
  timer: ReturnType<typeof setTimeout> | undefined
  /** It has waited for a desk long enough. */
  isOverdue: boolean
}

export interface RemoteQuestionsNeeds {
  /** Sends a message if there is a desk. @returns false where it is too long to be sent; undefined where there is no desk now */
  readonly send: (message: ToDesk) => boolean | undefined
  /** Somebody waits for a desk that is not there. */
  readonly onNeeded: () => void
  /** A look for the desk is under way; it ends with `askAll` or `takeFailure`. */
  readonly isLooking: () => boolean
  /** How long a question waits for a desk that is not there, in milliseconds. */
  readonly patienceMs: number
}

const gone = 'Nobody can be asked now: the desk is not there'
const longestReason = 1000

/**
 * The questions of this process that wait at a desk. Each ends exactly once: with what the desk answers, or, where the desk is gone and does not come back
 * in time, as nobody's. A desk that comes back is asked again.
 */
export class RemoteQuestions {
  readonly #needs: RemoteQuestionsNeeds
  readonly #open = new Map<number, OpenQuestion>()
  #whenIdle: (() => void)[] = []
  #count = 0
  #isClosed = false

  constructor(needs: RemoteQuestionsNeeds) {
    this.#needs = needs
  }

  get size(): number {
    return this.#open.size
  }

  ask(session: number, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const id = (this.#count += 1)
    const message: ToDesk = { type: 'ask', id, session, request }
    const withdrawn = (): InputResponse => ({ outcome: 'withdrawn', reason: this.#isClosed ? 'the connection was closed' : reasonOf(signal) })
    return new Promise((resolve) => {
      const settle = (response: InputResponse): void => resolve(signal.aborted || this.#isClosed ? withdrawn() : response)
      this.#begin(message, signal, settle as (end: End) => void, (why) =>
        request.isTakenOver ? { outcome: 'withdrawn', reason: why.message, isForClient: true } : unansweredResponse(request.kind, 'desk-lost', why),
      )
    })
  }

  /** @throws ConsentryError `AUDIT_UNAVAILABLE` */
  wait(session: number, wait: UrlWait, signal: AbortSignal): Promise<'completed' | 'continued' | 'cancelled'> {
    const id = (this.#count += 1)
    const message: ToDesk = { type: 'wait', id, session, wait }
    return new Promise((resolve, reject) => {
      const settle = (outcome: WaitOutcome): void => (outcome instanceof ConsentryError ? reject(outcome) : resolve(signal.aborted ? 'cancelled' : outcome))
      this.#begin(message, signal, settle as (end: End) => void, () => (wait.goesOn ? 'continued' : 'cancelled'))
    })
  }

  /** The desk has answered; late and unknown ids change nothing. */
  take(id: number, end: End): void {
    this.#end(this.#open.get(id), end)
  }

  /** A desk is there: it is asked everything that waits. */
  askAll(): void {
    for (const question of this.#open.values()) this.#send(question)
  }

  /** The desk is gone: what waits goes on waiting for a while. */
  takeLoss(): void {
    for (const question of this.#open.values()) this.#bePatient(question)
  }

  /** A look for the desk found none: what has waited long enough waits for no other. */
  takeFailure(): void {
    for (const question of this.#open.values()) if (question.isOverdue) this.#giveUp(question)
  }

  /** Ends everything, also what comes later, as withdrawn. */
  close(): void {
    this.#isClosed = true
    for (const question of this.#open.values()) this.#giveUp(question)
  }

  /** Resolves when nothing waits. */
  whenIdle(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #begin(message: OpenQuestion['message'], signal: AbortSignal, settle: OpenQuestion['settle'], unanswered: OpenQuestion['unanswered']): void {
    const withdraw = (): void => void this.#needs.send({ type: 'withdraw', id: message.id, reason: reasonOf(signal) })
    const question: OpenQuestion = { message, signal, withdraw, settle, unanswered, timer: undefined, isOverdue: false }
    this.#open.set(message.id, question)
    if (this.#isClosed) return this.#giveUp(question)
    signal.addEventListener('abort', withdraw, { once: true })
    if (this.#send(question)) return
    this.#bePatient(question)
    this.#needs.onNeeded()
  }

  /** @returns false: there is no desk now */
  #send(question: OpenQuestion): boolean {
    this.#stopClock(question)
    const isSent = this.#needs.send(question.message)
    if (isSent === false) this.#end(question, question.unanswered(new ConsentryError('LIMIT_REACHED', 'The question is too large to be shown to anybody')))
    else if (isSent && question.signal.aborted) question.withdraw()
    return isSent !== undefined
  }

  #bePatient(question: OpenQuestion): void {
    this.#stopClock(question)
    question.timer = setTimeout(() => {
      question.isOverdue = true
      // A desk that is slow to greet is there all the same.
      if (!this.#needs.isLooking()) this.#giveUp(question)
    }, this.#needs.patienceMs)
  }

  #stopClock(question: OpenQuestion): void {
    clearTimeout(question.timer)
    question.isOverdue = false
  }

  #giveUp(question: OpenQuestion): void {
    this.#end(question, question.unanswered(new ConsentryError('NO_ONE_TO_ASK', gone)))
  }

  #end(question: OpenQuestion | undefined, end: End): void {
    if (question === undefined || !this.#open.delete(question.message.id)) return
    clearTimeout(question.timer)
    question.signal.removeEventListener('abort', question.withdraw)
    question.settle(end)
    if (this.#open.size > 0) return
    for (const resolve of this.#whenIdle) resolve()
    this.#whenIdle = []
  }
}

function reasonOf(signal: AbortSignal): string {
  const { reason } = signal as { readonly reason: unknown }
  return (reason instanceof Error ? reason.message : 'the question was taken back').slice(0, longestReason)
}
