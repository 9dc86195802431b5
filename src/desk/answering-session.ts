import type { AuditSink } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import {
  createListeners,
  eraOf,
  latestLegacyRevision,
  type AnswerCapabilities,
  type ClientSilence,
  type ConnectionOrigin,
  type DeskSessionEvents,
  type FreshStartEnd,
  type Heard,
  type InputKind,
  type InputRequest,
  type InputResponse,
  type Origin,
  type Reviewer,
  type Settlement,
  type UrlWait,
} from '../protocol/index.ts'
import type { ListReader } from '../roots/kept-folders.ts'
import { askFeature, type FeatureNeeds } from './ask-feature.ts'
import { Askers } from './askers.ts'
import type { DeskObserver, ObservedSession } from './desk-observer.ts'
import { MissedRoots } from './missed-roots.ts'
import { QuestionRecord } from './question-record.ts'
import { unansweredResponse } from './unanswered.ts'
import { SamplingPromise } from './sampling-promise.ts'
import type { TakeOvers } from './silent-client.ts'
import { visitDone } from '../protocol/visit-done.ts'
import { SilentClients } from './silent-clients.ts'
import { UrlVisits } from './url-visits.ts'

export interface AnsweringNeeds extends FeatureNeeds {
  /** In place of which clients forms are answered here each time: for people alone. */
  readonly takeOvers?: TakeOvers | undefined
  readonly audit: AuditSink
  readonly newQuestionId: () => string
  readonly observer?: DeskObserver | undefined
  /** Told of everything that begins here and writes to the log when it ends: whoever closes the log waits for it. */
  readonly onBegin?: ((end: Promise<unknown>) => void) | undefined
}

/** One connection's questions: parsed by their feature, decided by rules and people, written to the audit log, ended once. */
export class AnsweringSession implements ObservedSession {
  readonly origin: ConnectionOrigin
  readonly #needs: AnsweringNeeds
  readonly #listeners = createListeners<DeskSessionEvents>()
  readonly #askers = new Askers()
  readonly #visits = new UrlVisits()
  readonly #sampling: SamplingPromise
  readonly #missed: MissedRoots
  readonly #client: SilentClients
  /** Also whether its client is taken over: whoever waits for the one asks nobody in the wrong place. */
  readonly known: Promise<void>
  readonly #callbacks: (() => void)[] = []
  readonly #stopWatching: () => void
  #wantsTraffic = false
  #closed = false

  constructor(origin: ConnectionOrigin, needs: AnsweringNeeds) {
    this.origin = origin
    this.#needs = needs
    this.#sampling = new SamplingPromise(origin.server, needs, () => this.#listeners.emit('capabilities-changed', undefined))
    this.#missed = new MissedRoots({ audit: needs.audit, announce: () => this.#listeners.emit('roots-changed', undefined) })
    this.#stopWatching = needs.roots.on('changed', () => this.#listeners.emit('roots-changed', undefined))
    needs.roots.on('restart', () => this.#listeners.emit('restart-asked', 'folders'))
    needs.roots.on('end', () => this.#listeners.emit('end-asked', undefined))
    needs.roots.on('kept', (found) => this.#listeners.emit('folders-kept', found))
    needs.roots.on('undecided', (known) => this.#listeners.emit('folders-undecided', known))
    const { startedWith, told, undecided, canRestart } = origin
    if (startedWith && canRestart) void needs.roots.fix(this.#readerOfFolders(), startedWith)
    else if (told) void needs.roots.resume(this.#readerOfFolders(), told, undecided)
    this.#client = new SilentClients(origin, {
      takeOvers: needs.reviewedBy === 'person' ? needs.takeOvers : undefined,
      canReview: (kind) => needs.reviewedBy === 'person' && needs.reviewer.canReview('silent-client', origin.server) && this.#canAnswer(kind),
      review: (kind, reason, signal) => this.#offerTakeOver(kind, reason, signal),
      takeOver: (kind) => this.#listeners.emit('take-over-asked', kind),
      giveBack: (kind) => this.#listeners.emit('take-over-ended', kind),
    })
    this.known = Promise.all([this.#sampling.known, this.#client.known]).then(() => undefined)
    needs.observer?.opened(this)
  }

  capabilities(): AnswerCapabilities {
    const { reviewer, policy } = this.#needs
    const { server } = this.origin
    const sampling = this.#sampling.holds
    return {
      roots: true,
      form: reviewer.canReview('form', server) || policy.mayAllow('elicitation', server),
      url: reviewer.canReview('url', server),
      sampling,
      samplingTools: sampling,
    }
  }

  async answer(request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    if (request.isTakenOver && !(await this.#client.holds(request.kind)))
      return { outcome: 'withdrawn', reason: 'it is the client that is asked again', isForClient: true }
    return this.#following(signal, async (asker) => {
      const { audit, observer, newQuestionId } = this.#needs
      const question = newQuestionId()
      const origin = this.#originOf(request, question)
      const record = new QuestionRecord(audit, question, request, origin)
      observer?.asked(request, origin)
      const end = (response: InputResponse): InputResponse => {
        observer?.ended(response, origin)
        return response
      }
      // At once: the server may report a visit complete while the log is still being written.
      if (request.kind === 'elicitation') this.#visits.remember(request.params)
      try {
        const asked = this.#noted(record, request)
        await asked.before
        const response = ifStillAsked(await askFeature(request, origin, { ...this.#needs, reviewer: this.#observed(record) }, asker.signal), asker.signal)
        await Promise.all([asked.after, record.ended(response)])
        const leaving = ifStillAsked(response, asker.signal)
        // It was taken back while its answer was written down.
        if (leaving.outcome !== response.outcome) await record.ended(leaving)
        return end(leaving)
      } catch (cause) {
        const error =
          cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The question could not be answered: an error of ours.', { cause })
        // The modern era asks again by itself.
        if (error.code === 'AUDIT_UNAVAILABLE' && request.kind === 'roots' && origin.era === 'legacy') this.#missed.note()
        return end(
          error.code === 'AUDIT_UNAVAILABLE' ? unansweredResponse(request.kind, 'audit-unavailable', error) : { outcome: 'refused', by: 'none', error },
        )
      }
    })
  }

  refused(request: InputRequest, error: ConsentryError): void {
    void this.#begun(async () => {
      const question = this.#needs.newQuestionId()
      const record = new QuestionRecord(this.#needs.audit, question, request, this.#originOf(request, question))
      try {
        await record.asked()
        await record.ended({ outcome: 'refused', by: 'none', error })
      } catch {
        // Nothing left this house: where the log cannot be written, the next question that can be answered says so.
      }
    })
  }

  reportClient(kind: InputKind, how: ClientSilence | 'answers'): void {
    this.#client.report(kind, how)
  }

  restarted(end: FreshStartEnd): void {
    void this.#needs.roots.restarted(end)
  }

  get takenOver(): ReadonlySet<InputKind> {
    return this.#client.takenOver
  }

  get wantsTraffic(): boolean {
    return this.#wantsTraffic
  }

  showTraffic(isWanted: boolean): void {
    if (this.#wantsTraffic === isWanted) return
    this.#wantsTraffic = isWanted
    this.#listeners.emit('traffic-wanted', isWanted)
  }

  heard(heard: Heard): boolean {
    if (this.#closed) return false
    this.#needs.observer?.heard?.(heard, this.origin)
    return true
  }

  complete(elicitationId: string): void {
    this.#visits.complete(elicitationId)
  }

  awaitCompletion({ ids, message, urls, request, goesOn = false }: UrlWait, signal: AbortSignal): Promise<'completed' | 'continued' | 'cancelled'> {
    return this.#following(signal, async (asker) => {
      if (this.#visits.areComplete(ids)) return 'completed'
      const stopWaiting = this.#visits.whenComplete(ids, () => asker.abort(new Error(visitDone)))
      const question = this.#needs.newQuestionId()
      const origin = this.#originOf(request, question)
      const record = new QuestionRecord(this.#needs.audit, question, { kind: 'elicitation', params: { mode: 'url' } }, origin)
      const { readUrl } = await import('../elicitation/index.ts')
      const subject = { message, cards: urls.map((url) => readUrl(url)) }
      try {
        await record.asked()
        const settlement = await this.#observed(record).review({ kind: 'url-wait', origin, subject, draft: undefined }, asker.signal)
        const isDecided = settlement.outcome === 'decided'
        // Where the connection is closed nobody has given anything up.
        const isContinued = isDecided ? settlement.decision.action === 'continue' : goesOn && !signal.aborted && !this.#visits.areComplete(ids)
        const action = isContinued ? 'continued' : this.#visits.areComplete(ids) ? 'completed' : 'cancelled'
        const end: InputResponse = { outcome: 'answered', by: isDecided ? settlement.by : 'none', result: { action } }
        await record.ended(goesOn && action !== 'completed' ? ifStillAsked(end, asker.signal) : end)
        return action
      } finally {
        stopWaiting()
      }
    })
  }

  on<Name extends keyof DeskSessionEvents>(event: Name, listener: (detail: DeskSessionEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Runs when this session is closed, at most once. */
  onClose(callback: () => void): void {
    this.#callbacks.push(callback)
  }

  /** Has the adapter look at `capabilities` again. */
  announceCapabilities(): void {
    this.#listeners.emit('capabilities-changed', undefined)
    void this.#sampling.look()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#stopWatching()
    this.#sampling.close()
    this.#missed.close()
    this.#client.close()
    this.#needs.roots.close()
    this.#askers.close(new Error('the connection was closed'))
    this.#listeners.clear()
    for (const callback of this.#callbacks) callback()
    this.#needs.observer?.closed(this)
  }

  /**
   * Writes down that something is asked. Before anybody sees it or a model reads it that is in the log; where a script only fills in what its file says, it is
   * enough that it is there before the answer leaves: both are written at once.
   */
  #noted(record: QuestionRecord, { kind }: InputRequest): { readonly before: Promise<void> | undefined; readonly after: Promise<void> } {
    const asked = record.asked()
    const isFilledIn = this.#needs.reviewedBy === 'script' && kind !== 'sampling'
    // It may fail while the script is still being read.
    if (isFilledIn) asked.catch(() => {})
    return { before: isFilledIn ? undefined : asked, after: asked }
  }

  /** A server that knows folders already, whether it ever asks for them or not. */
  #readerOfFolders(): ListReader {
    const question = this.#needs.newQuestionId()
    const origin = this.#originOf({ revision: latestLegacyRevision }, question)
    const record = new QuestionRecord(this.#needs.audit, question, { kind: 'roots', params: undefined }, origin)
    return { origin, reviewer: this.#observed(record) }
  }

  /** The same reviewer, with the human clock and the audit log told about it. */
  #observed(record: QuestionRecord): Reviewer {
    const { reviewer, reviewedBy } = this.#needs
    if (reviewedBy === 'script') return reviewer
    return {
      canReview: (kind, server) => reviewer.canReview(kind, server),
      review: (request, signal) =>
        this.#begun(async () => {
          await record.reviewOpened(request.kind)
          this.#listeners.emit('waiting', { kind: request.kind })
          const settlement = await reviewer.review(record.decidedOnRecord(request), signal)
          this.#listeners.emit('resumed', undefined)
          await record.reviewClosed(request, settlement)
          return settlement
        }),
    }
  }

  #canAnswer(kind: InputKind): boolean {
    const { roots, form, url, sampling } = this.capabilities()
    return { roots, elicitation: form || url, sampling }[kind]
  }

  #offerTakeOver(feature: InputKind, reason: ClientSilence, signal: AbortSignal): Promise<Settlement<'silent-client'>> {
    const question = this.#needs.newQuestionId()
    const origin = this.#originOf({ revision: latestLegacyRevision }, question)
    const record = new QuestionRecord(this.#needs.audit, question, { kind: feature, params: undefined }, origin)
    const request = { kind: 'silent-client', origin, subject: { feature, reason }, draft: undefined } as const
    return this.#following(signal, (asker) => this.#observed(record).review(request, asker.signal))
  }

  /** A review of folders may go on after its question: it is told of by itself. */
  #begun<Result>(run: () => Promise<Result>): Promise<Result> {
    const end = run()
    this.#needs.onBegin?.(end)
    return end
  }

  #originOf({ revision, call, isInCall }: Pick<InputRequest, 'revision' | 'call' | 'isInCall'>, question: string): Origin {
    return { ...this.origin, era: eraOf(revision), revision, call, ...(isInCall && { isInCall }), question }
  }

  /** Runs with a controller that ends with the asker's signal and with this session. */
  #following<Result>(signal: AbortSignal, run: (asker: AbortController) => Promise<Result>): Promise<Result> {
    return this.#begun(() => this.#askers.follow(signal, run))
  }
}

/** What is decided too late is not sent: the asker is gone. */
function ifStillAsked(response: InputResponse, signal: AbortSignal): InputResponse {
  if (!signal.aborted) return response
  const { reason } = signal as { reason: unknown }
  return { outcome: 'withdrawn', reason: reason instanceof Error ? reason.message : 'the question was taken back' }
}
