import { ConsentryError } from '../errors.ts'
import { answerInput, toWireReply, type InputObserver } from '../mcp/answer-input.ts'
import { readConsent, type VisitedPage } from '../mcp/follow-visit.ts'
import { inLanes } from '../mcp/in-lanes.ts'
import { toWireError, wireCodes, type WireError } from '../mcp/wire-error.ts'
import { latestRevision } from '../protocol/index.ts'
import { lineOf, type ClientRequest } from './client-requests.ts'
import { applyEdits, type Edit } from './edit.ts'
import { readText, type Span } from './json-bytes.ts'
import type { HeldLines } from './held-lines.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import type { LazySession } from './lazy-session.ts'
import type { Verdict } from './line-feed.ts'
import type { ModernPromise } from './modern-promise.ts'
import type { OwnIds } from './own-ids.ts'
import { parentCallOf } from './parent-call.ts'
import { listMembers } from './read-members.ts'
import { readKeptRequest, type RequestParts } from './read-request.ts'
import type { Round, RoundQuestion } from './read-round.ts'
import { brokenResponse, errorLine } from './request-lines.ts'
import type { OurAnswers, RoundHandles } from './round-handles.ts'
import { RoundVisits } from './round-visits.ts'
import type { ServerQuestions } from './server-questions.ts'
import { promisedBy } from './share-features.ts'
import { retryEdits, writeRetry } from './write-retry.ts'

export interface RoundNeeds extends KeepAliveNeeds {
  readonly session: LazySession
  readonly promise: ModernPromise
  readonly handles: RoundHandles
  readonly observer: InputObserver | undefined
  readonly ownIds: OwnIds
  readonly held: HeldLines
  readonly questions: Pick<ServerQuestions, 'giveRound'>
}

/** A line of the server that asks something, with the places that matter. */
export interface AskingLine {
  readonly bytes: Buffer
  readonly line: Span
  readonly id: Span
  readonly round: Round
}

interface Refusal {
  readonly question: RoundQuestion
  readonly error: WireError
}

const questionsAtOnce = 16
const mostRounds = 10

/**
 * Rounds of the 2026-07-28 revision of which at least a part is answered here.
 *
 * Our part comes first. Where that is all, the request goes to the server again, under an id of ours, and the client sees only what comes of it. Where it
 * is not, the client gets its own questions and a handle in place of the server's state, and brings both parts together with its retry.
 *
 * Folders that have changed since they were asked for are left out of a retry: a server that needs them asks again, and is told what it may be told then.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export class Rounds {
  readonly #needs: RoundNeeds
  /** Loaded with the first round that is split: without one there is no handle to be found. */
  #fingerprintOf: ((line: Buffer) => string | undefined) | undefined
  readonly visits: RoundVisits
  #folderChanges = 0

  constructor(needs: RoundNeeds) {
    this.#needs = needs
    needs.session.whenOpen((session) => {
      session.on('roots-changed', () => (this.#folderChanges += 1))
      // A desk that is lost tells of no change.
      session.on('capabilities-changed', () => (this.#folderChanges += session.capabilities().roots ? 0 : 1))
    })
    this.visits = new RoundVisits(needs)
  }

  /** Keeps the line back, and has our part of it answered. */
  take(request: ClientRequest, asking: AskingLine): Verdict {
    const { bytes, line } = asking
    if (!isJson(bytes, line)) return this.#fail(request, brokenResponse('server', 'it is no JSON'))
    request.rounds += 1
    if (request.rounds > mostRounds)
      return this.#fail(request, { code: wireCodes.internal, message: `The server asked again and again, more than ${mostRounds} times for one request` })
    this.visits.asked(request)
    this.#needs.requests.pause(request)
    void this.#settle(request, asking)
    return 'drop'
  }

  /** The server's line can be read in two ways: whoever waits for it is told. */
  takeBroken(request: ClientRequest, why: string): Verdict {
    return this.#fail(request, brokenResponse('server', why))
  }

  /**
   * Takes a retry of the client that carries a handle of ours, and puts our part and the server's state into it.
   *
   * @returns undefined for a handle that was changed, is too old, or belongs to another request
   */
  resume(bytes: Buffer, line: Span, parts: RequestParts, capabilities: Buffer): readonly Edit[] | undefined {
    const { requestState, inputResponses } = parts
    const handle = requestState && readText(bytes, requestState)
    const fingerprint = this.#fingerprintOf?.(bytes.subarray(line.start, line.end))
    const held = handle === undefined || fingerprint === undefined ? undefined : this.#needs.handles.find(handle, fingerprint)
    const given = inputResponses === undefined ? [] : listMembers(bytes, inputResponses)
    if (held === undefined || given === undefined) return undefined
    const theirs = given
      .filter(({ key }) => !held.answers.byKey.has(readText(bytes, key) ?? ''))
      .map(({ key, value }) => bytes.toString('utf8', key.start, value.end))
    return retryEdits(bytes, line, { capabilities, inputResponses: this.#responsesOf(held.answers, theirs), requestState: held.requestState })
  }

  async #settle(request: ClientRequest, asking: AskingLine): Promise<void> {
    const { requests } = this.#needs
    const stop = keepAlive(this.#needs, [request])
    try {
      const pages: VisitedPage[] = []
      const outcome = await this.#answer(request, asking, pages)
      if (!requests.isOpen(request)) return
      if ('error' in outcome) this.#fail(request, refused(outcome))
      else if (asking.round.questions.every(({ key }) => outcome.byKey.has(key))) await this.#goOn(request, asking, outcome, pages)
      else await this.#share(request, asking, outcome, pages)
    } catch (error) {
      if (requests.isOpen(request)) this.#fail(request, toWireError(error))
    } finally {
      stop()
    }
  }

  /** Our part of a round: every answer, or the first question that can have none. */
  async #answer(request: ClientRequest, { bytes, round }: AskingLine, pages: VisitedPage[]): Promise<OurAnswers | Refusal> {
    const session = await this.#needs.session.open()
    const siblings = new AbortController()
    const signal = AbortSignal.any([request.controller!.signal, siblings.signal])
    const shared = { session, promised: promisedBy(request.owners!), revision: latestRevision, call: parentCallOf([request]), observer: this.#needs.observer }
    const answers = { byKey: new Map<string, string>(), folders: new Set<string>(), change: this.#folderChanges }
    let refusal: Refusal | undefined
    const ours = round.questions.filter(({ owner }) => owner !== 'client')
    // Where it is plain that one of them can have no answer, nobody is asked the others.
    const hopeless = ours.find(({ owner }) => owner === 'nobody')
    await inLanes(hopeless ? [hopeless] : ours, questionsAtOnce, async (question) => {
      const { key, method, value, isTakenOver } = question
      if (signal.aborted || method === undefined) return
      const { params } = JSON.parse(bytes.toString('utf8', value.start, value.end)) as { readonly params?: unknown }
      // A signal of its own, so that none has more listeners than Node holds for sound.
      const response = await answerInput(method, params, { ...shared, key, isTakenOver }, AbortSignal.any([signal]))
      // It goes to the client with the rest of its part.
      if (response.outcome === 'withdrawn' && response.isForClient) return
      const page = readConsent(params, response)
      if (page) pages.push(page)
      const reply = toWireReply(response)
      if (reply && 'result' in reply) {
        answers.byKey.set(key, JSON.stringify(reply.result))
        if (method === 'roots/list') answers.folders.add(key)
      } else if (!signal.aborted) {
        refusal = { question, error: reply?.error ?? toWireError(new ConsentryError('NO_ONE_TO_ASK', 'The question was withdrawn here')) }
        siblings.abort(new ConsentryError('INPUT_REFUSED', 'Another question of this round cannot be answered'))
      }
    })
    return refusal ?? answers
  }

  /** Where there is no server that could be told, what was answered stays here, and is for nobody if the client gives its request up meanwhile. */
  async #goOn(request: ClientRequest, asking: AskingLine, answers: OurAnswers, pages: readonly VisitedPage[]): Promise<void> {
    const { held, requests } = this.#needs
    await held.whenFree(request.method)
    if (!requests.isOpen(request)) return
    this.#resend(request, asking, answers)
    this.visits.follow(request, pages)
  }

  #resend(request: ClientRequest, { bytes, round }: AskingLine, answers: OurAnswers): void {
    const { requests, promise, wire, ownIds } = this.#needs
    const line = lineOf(request)
    const capabilities = readKeptRequest(line)?.parts.capabilities
    const merged = capabilities && promise.merge(line, capabilities)
    if (merged && typeof merged !== 'string') Object.assign(request, { owners: merged.owners, agreed: merged.agreed })
    const id = ownIds.create()
    requests.resend(request, id)
    const retry = writeRetry(line, {
      id: Buffer.from(JSON.stringify(id)),
      capabilities: typeof merged === 'object' ? merged.bytes : undefined,
      inputResponses: this.#responsesOf(answers, []),
      requestState: stateOf(bytes, round),
    })
    wire.toServer(Buffer.concat([retry, newline]))
  }

  /** The client's part goes to the client, whose request is answered with that. */
  async #share(request: ClientRequest, { bytes, line, id, round }: AskingLine, answers: OurAnswers, pages: readonly VisitedPage[]): Promise<void> {
    const { requests, handles, wire } = this.#needs
    this.#fingerprintOf ??= (await import('./fingerprint.ts')).fingerprintOf
    if (!requests.isOpen(request)) return
    const fingerprint = this.#fingerprintOf(lineOf(request))
    if (fingerprint === undefined) return void this.#fail(request, brokenResponse('server', 'what it belongs to is no JSON'))
    const handle = handles.hold({ fingerprint, answers, requestState: stateOf(bytes, round) })
    this.visits.follow(request, pages)
    this.visits.carry(request, handle)
    requests.close(request)
    const left = round.questions.filter(({ key }) => !answers.byKey.has(key))
    this.#needs.questions.giveRound(left, handle)
    const theirs = left.map(({ member }) => bytes.toString('utf8', member.start, member.end))
    const { inputRequests, requestState } = round
    const questions = `{${theirs.join(',')}}`
    const state = Buffer.from(JSON.stringify(handle))
    const edits = requestState
      ? [
          { span: inputRequests, bytes: Buffer.from(questions) },
          { span: requestState, bytes: state },
        ]
      : [{ span: inputRequests, bytes: Buffer.concat([Buffer.from(`${questions},"requestState":`), state]) }]
    wire.toClient(Buffer.concat([applyEdits(bytes, line, [{ span: id, bytes: Buffer.from(request.writtenId) }, ...edits]), newline]))
  }

  #responsesOf({ byKey, folders, change }: OurAnswers, others: readonly string[]): Buffer {
    const ours = [...byKey].filter(([key]) => change === this.#folderChanges || !folders.has(key)).map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    return Buffer.from(`{${[...others, ...ours].join(',')}}`)
  }

  #fail(request: ClientRequest, error: WireError): Verdict {
    this.#needs.requests.close(request)
    this.#needs.wire.toClient(errorLine(request.writtenId, error))
    return 'drop'
  }
}

const newline = Buffer.from('\n')

/** The server's state as it wrote it; null where it gave none. */
function stateOf(bytes: Buffer, { requestState }: Round): Buffer | null {
  const written = requestState && bytes.subarray(requestState.start, requestState.end)
  return written === undefined || written.toString('latin1') === 'null' ? null : written
}

/** @see CONTRACT: a question that can have no response ends the request, with an error that names it */
function refused({ question, error }: Refusal): WireError {
  const { key, method } = question
  const name = JSON.stringify(key.slice(0, 100))
  const message = `The server's question ${name} (${method ?? 'unknown'}) cannot be answered, so that the request ends: ${error.message}`
  return { code: wireCodes.internal, message, data: { key, method, error } }
}

function isJson(bytes: Buffer, { start, end }: Span): boolean {
  try {
    JSON.parse(bytes.toString('utf8', start, end))
    return true
  } catch {
    return false
  }
}
