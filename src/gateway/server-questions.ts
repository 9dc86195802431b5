import { ConsentryError } from '../errors.ts'
import { undeclared } from '../mcp/capabilities.ts'
import { inputMethods, isInputMethod, isJsonObject, type ClientSilence, type InputKind, type InputMethod } from '../protocol/index.ts'
import type { ClientRequest } from './client-requests.ts'
import { applyEdits } from './edit.ts'
import { readEnvelope, type Envelope, type RequestId } from './envelope.ts'
import { readText, type Span } from './json-bytes.ts'
import type { Verdict } from './line-feed.ts'
import type { OwnIds } from './own-ids.ts'
import { isUnknownMethod, parseLine, wholeOf } from './question-lines.ts'
import { ownerOf } from './question-owner.ts'
import type { RequestParts } from './read-request.ts'
import { refuseRequest } from './refuse-line.ts'
import { QuestionsAtClient } from './questions-at-client.ts'
import { mostQuestionBytes, QuestionsHere, type QuestionsHereNeeds, type RequestEnvelope } from './questions-here.ts'
import { brokenResponse, errorLine, notificationLine } from './request-lines.ts'
import { UnseenQuestions } from './unseen-questions.ts'
import { writtenId } from './wire.ts'

export interface QuestionNeeds extends Omit<QuestionsHereNeeds, 'giveToClient'> {
  readonly ownIds: OwnIds
}

/**
 * What the server asks, in the older era: each request goes to the client or is answered here, gets one response, and that is the end of it.
 *
 * @see MCP 2025-11-25 client/roots, client/elicitation, client/sampling, basic/utilities/cancellation
 */
export class ServerQuestions {
  readonly #needs: QuestionNeeds
  readonly #atClient: QuestionsAtClient
  readonly #here: QuestionsHere
  readonly #unseen: UnseenQuestions
  /** What the client promised and did not know. */
  readonly #unknown = new Set<InputMethod>()
  #isClosed = false

  constructor(needs: QuestionNeeds) {
    this.#needs = needs
    this.#atClient = new QuestionsAtClient(needs)
    this.#here = new QuestionsHere({ ...needs, giveToClient: (line) => this.#giveToClient(line) })
    this.#unseen = new UnseenQuestions({ ...needs, report: (kind, how) => this.#reportClient(kind, how) })
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
    const other = this.#askClient(bytes, envelope, kept)
    return other === undefined ? 'pass' : [{ span: id.span, bytes: Buffer.from(JSON.stringify(other)) }]
  }

  /** Takes a response of the client: whatever answers nothing that it was asked goes no further. */
  takeResponse(bytes: Buffer, { id, result, error }: Extract<Envelope, { readonly kind: 'response' }>): Verdict {
    const asked = this.#atClient.take(id.value)
    if (asked === undefined) return 'drop'
    this.#unseen.ended(id.value)
    const verdict = error && asked.line && isUnknownMethod(bytes, error) ? this.#takeOver(asked.line, asked.method) : 'pass'
    if (verdict === 'pass' && isInputMethod(asked.method)) this.#unseen.note(asked.method, bytes, result, asked)
    return verdict === 'pass' && asked.id !== id.value ? [{ span: id.span, bytes: Buffer.from(asked.writtenId) }] : verdict
  }

  /** The client gets questions of 2026-07-28 that it is to show. */
  giveRound(questions: Parameters<UnseenQuestions['gave']>[0], state: string | undefined): void {
    this.#unseen.gave(questions, state)
  }

  /** It comes back with what became of them. */
  takeReturn(bytes: Buffer, { inputResponses, requestState }: RequestParts): void {
    if (inputResponses || requestState) this.#unseen.took(bytes, inputResponses, requestState && readText(bytes, requestState))
  }

  /** The client's response cannot be read: the server is told so. */
  failResponse(id: RequestId, why: string): void {
    const asked = this.#atClient.take(id)
    if (asked === undefined) return
    this.#needs.wire.toServer(errorLine(asked.writtenId, brokenResponse('client', why)))
  }

  /** The server does not want an answer any more. @returns whose question it was, and what the client knows it as where that is another id */
  takeBack(id: RequestId): 'here' | 'client' | { readonly knownAs: string } {
    const knownAs = this.#atClient.takeBack(id)
    this.#unseen.ended(knownAs ?? id)
    if (this.#here.takeBack(id)) return 'here'
    return knownAs === undefined ? 'client' : { knownAs }
  }

  /** The client gave a request up: a question that can belong to no other one ends with it. */
  withdrawFor(request: ClientRequest): void {
    this.#here.withdrawFor(request)
  }

  /** The server that asked is gone, and another takes its place: the client is told that nobody waits for its answers. */
  leaveServer(): void {
    this.#unseen.close()
    this.#here.endAll(new ConsentryError('CONNECTION_LOST', 'The server was started afresh'))
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
    this.#unseen.close()
    this.#here.close(reason)
    this.#atClient.clear()
  }

  /** The desk offers a person to answer in its place; what the user left to the client stays there. */
  #reportClient(kind: InputKind, how: ClientSilence | 'answers'): void {
    const { session, handshake } = this.#needs
    if (!handshake.isLeftToClient(kind))
      session.open().then(
        (open) => open.reportClient?.(kind, how),
        () => undefined,
      )
  }

  /** A person answers what the client does not show: what comes, and what it has now. */
  takeOver(kind: InputKind): void {
    const { handshake, wire } = this.#needs
    if (this.#isClosed || handshake.isLeftToClient(kind)) return
    handshake.takeOver(kind)
    this.#unseen.close([kind])
    const isOurs = (line: Buffer): boolean => {
      const envelope = readEnvelope(line, wholeOf(line))
      if (envelope.kind !== 'request' || !isInputMethod(envelope.method) || inputMethods[envelope.method] !== kind) return false
      return ownerOf(envelope.method, line, envelope.params, handshake.owners) === 'here'
    }
    for (const { knownAs, line } of this.#atClient.takeAway(isOurs)) {
      wire.toClient(notificationLine('notifications/cancelled', { requestId: knownAs, reason: 'somebody answers it at the desk' }))
      const envelope = readEnvelope(line, wholeOf(line))
      if (envelope.kind === 'request' && isInputMethod(envelope.method)) this.#take(line, wholeOf(line), envelope, envelope.method)
    }
  }

  /** What was asked here in its place is the client's again. */
  #giveToClient(line: Buffer): void {
    const envelope = readEnvelope(line, wholeOf(line))
    if (envelope.kind !== 'request') return
    const other = this.#askClient(line, envelope, line)
    const edits = other === undefined ? [] : [{ span: envelope.id.span, bytes: Buffer.from(JSON.stringify(other)) }]
    this.#needs.wire.toClient(Buffer.concat([applyEdits(line, wholeOf(line), edits), newline]))
  }

  /** The client has a question from now on. @returns what it has to know it by, where that is another id */
  #askClient(bytes: Buffer, { id, method }: RequestEnvelope, line: Buffer | undefined): string | undefined {
    const other = this.#atClient.add(id, { writtenId: writtenId(bytes, id), method, at: this.#needs.clock.now(), line })
    if (isInputMethod(method)) this.#unseen.asked(method, other ?? id.value)
    return other
  }

  /** A copy of a question that the client gets, as long as there is room for it and somebody here who could answer. */
  #keep(bytes: Buffer, { start, end }: Span, method: InputMethod): Buffer | undefined {
    if (this.#needs.handshake.isLeftToClient(inputMethods[method]) || this.#atClient.bytes > mostQuestionBytes) return undefined
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
    const why = this.#here.take(bytes, line, envelope, method)
    return why === undefined ? 'drop' : this.#refuse(bytes, envelope, why)
  }

  #refuse(bytes: Buffer, { id }: RequestEnvelope, why: string): Verdict {
    refuseRequest(bytes, id, why, { reply: (text) => this.#needs.wire.toServer(text) })
    return 'drop'
  }
}

const newline = Buffer.from('\n')
