import { ConsentryError } from '../errors.ts'
import { answerInput, toWireReply, type InputObserver } from '../mcp/answer-input.ts'
import { RequestGate } from '../mcp/request-gate.ts'
import type { Rereading } from '../mcp/rereading.ts'
import { toWireError } from '../mcp/wire-error.ts'
import type { InputMethod } from '../protocol/index.ts'
import type { ClientRequest, ClientRequests } from './client-requests.ts'
import type { Envelope, RequestId } from './envelope.ts'
import type { Handshake } from './handshake.ts'
import type { Span } from './json-bytes.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import type { LazySession } from './lazy-session.ts'
import { OpenVisits } from './open-visits.ts'
import { parentCallOf } from './parent-call.ts'
import { parseLine, progressTokenOf, replyLine, unanswered } from './question-lines.ts'
import { writtenId } from './wire.ts'

export interface QuestionsHereNeeds extends KeepAliveNeeds {
  readonly requests: ClientRequests
  readonly handshake: Handshake
  readonly session: LazySession
  readonly observer: InputObserver | undefined
  readonly rereading: Rereading
  /** The question is the client's again. @param line the whole request */
  readonly giveToClient: (line: Buffer) => void
}

export type RequestEnvelope = Extract<Envelope, { readonly kind: 'request' }>

/** A question of the server that is answered here. */
interface OpenQuestion {
  readonly id: RequestId
  readonly writtenId: string
  readonly method: InputMethod
  readonly params: unknown
  readonly candidates: readonly ClientRequest[]
  readonly controller: AbortController
  readonly bytes: number
  /** The whole request, where it is asked in place of the client. */
  readonly line: Buffer | undefined
  stopProgress: () => void
}

/** How many questions of one kind are answered at once, and how many may wait behind them. */
const limits = { atOnce: 16, waiting: 10_000 }
/** So many bytes of questions are kept, whatever their number. */
export const mostQuestionBytes: number = 256 * 1024 * 1024

const tooMany = 'too many requests wait already'

/** The server's requests that are answered here, and are not answered yet, by the id that it gave them. */
export class QuestionsHere {
  readonly #needs: QuestionsHereNeeds
  readonly #open = new Map<RequestId, OpenQuestion>()
  readonly #gate = new RequestGate(limits)
  readonly #visits: OpenVisits
  #bytes = 0

  constructor(needs: QuestionsHereNeeds) {
    this.#needs = needs
    this.#visits = new OpenVisits({ ...needs, withdrawFor: (request) => this.withdrawFor(request) })
  }

  has(id: RequestId): boolean {
    return this.#open.has(id)
  }

  /** Keeps a request, and has it answered. @returns why not */
  take(bytes: Buffer, line: Span, envelope: RequestEnvelope, method: InputMethod): string | undefined {
    if (this.#bytes > mostQuestionBytes) return tooMany
    const message = parseLine(bytes, line)
    if (message === undefined) return 'it is no JSON'
    const question: OpenQuestion = {
      id: envelope.id.value,
      writtenId: writtenId(bytes, envelope.id),
      method,
      params: message['params'],
      candidates: this.#needs.requests.thatMayAsk(),
      controller: new AbortController(),
      bytes: line.end - line.start,
      line: this.#needs.handshake.isTakenOver(method, bytes, envelope.params) ? Buffer.from(bytes.subarray(line.start, line.end)) : undefined,
      stopProgress: () => {},
    }
    this.#open.set(question.id, question)
    this.#bytes += question.bytes
    const verdict = this.#gate.admit(keyOf(question.id), method, () => void this.#answer(question))
    if (verdict === 'admitted') return undefined
    this.#forget(question)
    return tooMany
  }

  /** The server does not want an answer any more. @returns whether it was asked here */
  takeBack(id: RequestId): boolean {
    const question = this.#open.get(id)
    if (question) this.#close(question, new ConsentryError('CALL_CANCELLED', 'The server took its question back'))
    return question !== undefined
  }

  /** The client gave a request up: a question that can belong to no other one ends with it. */
  withdrawFor(request: ClientRequest): void {
    const { requests } = this.#needs
    for (const question of this.#open.values()) {
      if (!question.candidates.includes(request) || question.candidates.some((candidate) => requests.isOpen(candidate))) continue
      const reason = new ConsentryError('CALL_CANCELLED', 'The client cancelled the call that this belonged to')
      this.#close(question, reason)
      this.#needs.wire.toServer(replyLine(question.writtenId, unanswered(question.method, reason)))
    }
  }

  /** Whoever asked is gone. */
  endAll(reason: Error): void {
    for (const question of this.#open.values()) this.#close(question, reason)
  }

  /** The same, and nobody comes in their place. */
  close(reason: Error): void {
    this.endAll(reason)
    this.#gate.clear()
  }

  async #answer(question: OpenQuestion): Promise<void> {
    const { method, params, candidates, controller } = question
    const { handshake, session, observer, rereading } = this.#needs
    const applied = method === 'roots/list' ? rereading.asked({ isInCall: candidates.length > 0 }) : undefined
    question.stopProgress = keepAlive(this.#needs, candidates, progressTokenOf(params))
    let line: string
    try {
      const facts = { promised: handshake.promised, revision: handshake.revision, call: parentCallOf(candidates, method), observer }
      const isInCall = method === 'roots/list' && candidates.length > 0
      const context = { session: await session.open(), ...facts, isInCall, isTakenOver: question.line !== undefined }
      const response = await answerInput(method, params, context, controller.signal)
      if (question.line && response.outcome === 'withdrawn' && response.isForClient && this.#open.get(question.id) === question) {
        this.#close(question)
        return this.#needs.giveToClient(question.line)
      }
      this.#visits.follow(params, response, candidates)
      const reply = toWireReply(response)
      line = replyLine(question.writtenId, reply ?? unanswered(method, controller.signal.reason))
    } catch (error) {
      this.#needs.wire.notice(`a question of the server could not be answered: ${(error as Error).message}`)
      line = replyLine(question.writtenId, { error: toWireError(error) })
    }
    if (this.#open.get(question.id) !== question) return
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
    this.#open.delete(question.id)
    this.#bytes -= question.bytes
  }
}

function keyOf(id: RequestId): string {
  return typeof id === 'string' ? `"${id}"` : String(id)
}
