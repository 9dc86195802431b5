import { ConsentryError } from '../errors.ts'
import { answerInput, toWireReply, type InputObserver } from '../mcp/answer-input.ts'
import type { Rereading } from '../mcp/rereading.ts'
import { RequestGate } from '../mcp/request-gate.ts'
import { undeclared } from '../mcp/capabilities.ts'
import { toWireError, wireCodes } from '../mcp/wire-error.ts'
import { isInputMethod, isJsonObject, type ClientSilence, type InputMethod } from '../protocol/index.ts'
import type { ClientRequest, ClientRequests } from './client-requests.ts'
import { readEnvelope, type Envelope, type RequestId } from './envelope.ts'
import type { Handshake } from './handshake.ts'
import type { Span } from './json-bytes.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import type { LazySession } from './lazy-session.ts'
import type { Verdict } from './line-feed.ts'
import { OpenVisits } from './open-visits.ts'
import type { OwnIds } from './own-ids.ts'
import { parentCallOf } from './parent-call.ts'
import { isUnknownMethod, parseLine, progressTokenOf, replyLine, unanswered, wholeOf } from './question-lines.ts'
import { ownerOf } from './question-owner.ts'
import { QuickCancels } from './quick-cancels.ts'
import { refuseRequest } from './refuse-line.ts'
import { QuestionsAtClient } from './questions-at-client.ts'
import { errorLine, notificationLine } from './request-lines.ts'
import { writtenId } from './wire.ts'

export interface QuestionNeeds extends KeepAliveNeeds {
  readonly requests: ClientRequests
  readonly handshake: Handshake
  readonly session: LazySession
  readonly observer: InputObserver | undefined
  readonly ownIds: OwnIds
  readonly rereading: Rereading
}

type RequestEnvelope = Extract<Envelope, { readonly kind: 'request' }>

/** A question of the server that is answered here. */
interface OpenQuestion {
  readonly id: RequestId
  readonly writtenId: string
  readonly method: InputMethod
  readonly params: unknown
  readonly candidates: readonly ClientRequest[]
  readonly controller: AbortController
  readonly bytes: number
  stopProgress: () => void
}

/** How many questions of one kind are answered at once, and how many may wait behind them. */
const limits = { atOnce: 16, waiting: 10_000 }
/** So many bytes of questions are kept, whatever their number. */
const mostBytes = 256 * 1024 * 1024

/**
 * What the server asks, in the older era: each request goes to the client or is answered here, gets one response, and that is the end of it.
 *
 * @see MCP 2025-11-25 client/roots, client/elicitation, client/sampling, basic/utilities/cancellation
 */
export class ServerQuestions {
  readonly #needs: QuestionNeeds
  readonly #atClient: QuestionsAtClient
  readonly #here = new Map<RequestId, OpenQuestion>()
  readonly #gate = new RequestGate(limits)
  readonly #quickCancels: QuickCancels
  readonly #visits: OpenVisits
  /** What the client promised and did not know. */
  readonly #unknown = new Set<InputMethod>()
  #bytes = 0
  #isClosed = false

  constructor(needs: QuestionNeeds) {
    this.#needs = needs
    this.#atClient = new QuestionsAtClient(needs)
    this.#quickCancels = new QuickCancels({ ...needs, report: (how) => this.#reportClient(how) })
    this.#visits = new OpenVisits({ ...needs, withdrawFor: (request) => this.withdrawFor(request) })
  }

  /** Takes a request of the server: it is passed to the client, or kept and answered. */
  judge(bytes: Buffer, line: Span, envelope: RequestEnvelope): Verdict {
    const { id, method, params } = envelope
    if (this.#atClient.has(id.value) || this.#here.has(id.value)) return this.#refuse(bytes, envelope, 'a request with this id is still open')
    let kept: Buffer | undefined
    if (isInputMethod(method)) {
      const owner = ownerOf(method, bytes, params, this.#needs.handshake.owners)
      if (owner === undefined) return this.#refuse(bytes, envelope, 'a member that decides who answers it stands in it twice')
      if (owner !== 'client') return this.#isClosed ? 'drop' : this.#take(bytes, line, envelope, method)
      kept = this.#keep(bytes, line, method)
    }
    const other = this.#atClient.add(id, { writtenId: writtenId(bytes, id), method, at: this.#needs.clock.now(), line: kept })
    if (method === 'elicitation/create') this.#quickCancels.asked(other ?? id.value)
    return other === undefined ? 'pass' : [{ span: id.span, bytes: Buffer.from(JSON.stringify(other)) }]
  }

  /** Takes a response of the client: whatever answers nothing that it was asked goes no further. */
  takeResponse(bytes: Buffer, { id, result, error }: Extract<Envelope, { readonly kind: 'response' }>): Verdict {
    const asked = this.#atClient.take(id.value)
    if (asked === undefined) return 'drop'
    this.#quickCancels.ended(id.value)
    if (asked.method === 'elicitation/create' && result) this.#quickCancels.note(bytes, result, asked.at)
    const verdict = error && asked.line && isUnknownMethod(bytes, error) ? this.#takeOver(asked.line, asked.method) : 'pass'
    return verdict === 'pass' && asked.id !== id.value ? [{ span: id.span, bytes: Buffer.from(asked.writtenId) }] : verdict
  }

  /** The client gets questions of 2026-07-28 that it is to show. */
  giveRound(questions: readonly { readonly method: InputMethod | undefined }[]): void {
    if (questions.some(({ method }) => method === 'elicitation/create')) this.#quickCancels.gave()
  }

  /** It comes back with what became of them. */
  takeReturn(bytes: Buffer, responses: Span): void {
    this.#quickCancels.noteReturn(bytes, responses)
  }

  /** The client's response cannot be read: the server is told so. */
  failResponse(id: RequestId, why: string): void {
    const asked = this.#atClient.take(id)
    if (asked === undefined) return
    this.#needs.wire.toServer(errorLine(asked.writtenId, { code: wireCodes.internal, message: `The response of the client is broken: ${why}` }))
  }

  /** The server does not want an answer any more. @returns whose question it was, and what the client knows it as where that is another id */
  takeBack(id: RequestId): 'here' | 'client' | { readonly knownAs: string } {
    const question = this.#here.get(id)
    const knownAs = this.#atClient.takeBack(id)
    this.#quickCancels.ended(knownAs ?? id)
    if (question === undefined) return knownAs === undefined ? 'client' : { knownAs }
    this.#close(question, new ConsentryError('CALL_CANCELLED', 'The server took its question back'))
    return 'here'
  }

  /** The client gave a request up: a question that can belong to no other one ends with it. */
  withdrawFor(request: ClientRequest): void {
    const { requests } = this.#needs
    for (const question of this.#here.values()) {
      if (!question.candidates.includes(request) || question.candidates.some((candidate) => requests.isOpen(candidate))) continue
      const reason = new ConsentryError('CALL_CANCELLED', 'The client cancelled the call that this belonged to')
      this.#close(question, reason)
      this.#needs.wire.toServer(replyLine(question.writtenId, unanswered(question.method, reason)))
    }
  }

  /** The server that asked is gone, and another takes its place: the client is told that nobody waits for its answers. */
  leaveServer(): void {
    this.#quickCancels.close()
    for (const question of this.#here.values()) this.#close(question, new ConsentryError('CONNECTION_LOST', 'The server was started afresh'))
    for (const requestId of this.#atClient.forget())
      this.#needs.wire.toClient(notificationLine('notifications/cancelled', { requestId, reason: 'the server was started afresh' }))
  }

  /** Whether progress is of a question whose server is gone. */
  isForgotten(bytes: Buffer, params: Span | undefined): boolean {
    return this.#atClient.isForgotten(bytes, params)
  }

  /** Nobody is there any more to be answered. */
  close(reason: Error): void {
    this.#isClosed = true
    this.#quickCancels.close()
    for (const question of this.#here.values()) this.#close(question, reason)
    this.#gate.clear()
    this.#atClient.clear()
  }

  /** The desk offers a person to answer in its place; what the user left to the client stays there. */
  #reportClient(how: ClientSilence | 'answers'): void {
    const { session, handshake } = this.#needs
    if (!handshake.isLeftToClient('elicitation/create'))
      session.open().then(
        (open) => open.reportClient?.(how),
        () => undefined,
      )
  }

  /** A person answers what the client does not show: what comes, and what it has now. */
  takeOverForms(): void {
    const { handshake, wire } = this.#needs
    if (this.#isClosed || handshake.isLeftToClient('elicitation/create')) return
    handshake.takeOver()
    this.#quickCancels.close()
    const isOurs = (line: Buffer): boolean => {
      const envelope = readEnvelope(line, wholeOf(line))
      const isForm = envelope.kind === 'request' && envelope.method === 'elicitation/create'
      return isForm && ownerOf('elicitation/create', line, envelope.params, handshake.owners) === 'here'
    }
    for (const { knownAs, line } of this.#atClient.takeAway(isOurs)) {
      wire.toClient(notificationLine('notifications/cancelled', { requestId: knownAs, reason: 'somebody answers it at the desk' }))
      const envelope = readEnvelope(line, wholeOf(line))
      if (envelope.kind === 'request') this.#take(line, wholeOf(line), envelope, 'elicitation/create')
    }
  }

  /** A copy of a question that the client gets, as long as there is room for it and somebody here who could answer. */
  #keep(bytes: Buffer, { start, end }: Span, method: InputMethod): Buffer | undefined {
    if (this.#needs.handshake.isLeftToClient(method) || this.#atClient.bytes > mostBytes) return undefined
    return Buffer.from(bytes.subarray(start, end))
  }

  /** The client said that it can be asked this, and does not know the method: somebody here is asked, if that was promised and can be kept. */
  #takeOver(line: Buffer, method: string): Verdict {
    const span = wholeOf(line)
    const envelope = readEnvelope(line, span)
    const params = parseLine(line, span)?.['params']
    const isTask = isJsonObject(params) && params['task'] !== undefined
    if (!isInputMethod(method) || envelope.kind !== 'request' || isTask || undeclared(method, params, this.#needs.session.capabilities())) return 'pass'
    if (!this.#unknown.has(method)) {
      this.#unknown.add(method)
      this.#needs.wire.notice(`the client said that it can be asked ${method}, and does not know it: it is answered here`)
    }
    return this.#take(line, span, envelope, method)
  }

  #take(bytes: Buffer, line: Span, envelope: RequestEnvelope, method: InputMethod): Verdict {
    if (this.#bytes > mostBytes) return this.#refuse(bytes, envelope, tooMany)
    const message = parseLine(bytes, line)
    if (message === undefined) return this.#refuse(bytes, envelope, 'it is no JSON')
    const question: OpenQuestion = {
      id: envelope.id.value,
      writtenId: writtenId(bytes, envelope.id),
      method,
      params: message['params'],
      candidates: this.#needs.requests.thatMayAsk(),
      controller: new AbortController(),
      bytes: line.end - line.start,
      stopProgress: () => {},
    }
    this.#here.set(question.id, question)
    this.#bytes += question.bytes
    const verdict = this.#gate.admit(keyOf(question.id), method, () => void this.#answer(question))
    if (verdict === 'admitted') return 'drop'
    this.#forget(question)
    return this.#refuse(bytes, envelope, tooMany)
  }

  async #answer(question: OpenQuestion): Promise<void> {
    const { method, params, candidates, controller } = question
    const { handshake, session, observer, rereading } = this.#needs
    const applied = method === 'roots/list' ? rereading.asked({ isInCall: candidates.length > 0 }) : undefined
    question.stopProgress = keepAlive(this.#needs, candidates, progressTokenOf(params))
    let line: string
    try {
      const context = { session: await session.open(), promised: handshake.promised, revision: handshake.revision, call: parentCallOf(candidates), observer }
      const response = await answerInput(method, params, context, controller.signal)
      this.#visits.follow(params, response, candidates)
      const reply = toWireReply(response)
      line = replyLine(question.writtenId, reply ?? unanswered(method, controller.signal.reason))
    } catch (error) {
      line = replyLine(question.writtenId, { error: toWireError(error) })
    }
    if (this.#here.get(question.id) !== question) return
    this.#close(question)
    this.#needs.wire.toServer(line)
    applied?.()
  }

  #close(question: OpenQuestion, reason?: Error): void {
    this.#forget(question)
    question.stopProgress()
    if (reason) question.controller.abort(reason)
    this.#gate.release(keyOf(question.id))
  }

  #forget(question: OpenQuestion): void {
    this.#here.delete(question.id)
    this.#bytes -= question.bytes
  }

  #refuse(bytes: Buffer, { id }: RequestEnvelope, why: string): Verdict {
    refuseRequest(bytes, id, why, { reply: (text) => this.#needs.wire.toServer(text) })
    return 'drop'
  }
}

const tooMany = 'too many requests wait already'

function keyOf(id: RequestId): string {
  return typeof id === 'string' ? `"${id}"` : String(id)
}
