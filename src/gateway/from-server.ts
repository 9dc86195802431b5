import type { KeptRequests } from '../host/kept-requests.ts'
import { readBegunResponse, ResultRest } from './begun-line.ts'
import { mayAsk, type ClientRequest, type ClientRequests } from './client-requests.ts'
import { readEnvelope, readId, type Envelope, type Flaw, type RequestId } from './envelope.ts'
import type { ForeignEra } from './foreign-era.ts'
import type { Handshake } from './handshake.ts'
import type { HeldLines } from './held-lines.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import type { LazySession } from './lazy-session.ts'
import type { BegunLine, Verdict } from './line-feed.ts'
import type { OwnIds } from './own-ids.ts'
import type { OwnRequests } from './own-requests.ts'
import { readMembers } from './read-members.ts'
import { readRound } from './read-round.ts'
import { refuseLine, type RefuseNeeds } from './refuse-line.ts'
import { brokenResponse, errorLine } from './request-lines.ts'
import type { RequiredVisits } from './required-visits.ts'
import type { Rounds } from './rounds.ts'
import type { ServerQuestions } from './server-questions.ts'
import { isAnythingHere } from './share-features.ts'
import type { Wire } from './wire.ts'

export interface FromServerNeeds {
  readonly wire: Wire
  readonly requests: ClientRequests
  readonly questions: ServerQuestions
  readonly handshake: Handshake
  readonly rounds: Rounds
  readonly visits: RequiredVisits
  readonly session: LazySession
  readonly ownIds: OwnIds
  readonly own: OwnRequests
  readonly held: HeldLines
  readonly kept: KeptRequests
  readonly foreignEra: ForeignEra
}

type ResponseEnvelope = Extract<Envelope, { readonly kind: 'response' }>

const cancelParts = new KeySet(['requestId'])
const progressParts = new KeySet(['progressToken', 'progress'])
const completeParts = new KeySet(['elicitationId'])
const stateParts = new KeySet(['resultType', 'requestState'])

/** What becomes of each line of the server: nearly all go on as they came. */
export class FromServer {
  readonly #needs: FromServerNeeds
  readonly #refusing: RefuseNeeds

  constructor(needs: FromServerNeeds) {
    this.#needs = needs
    this.#refusing = {
      sender: 'server',
      reply: (text) => needs.wire.toServer(text),
      failResponse: (id, why) => this.#failResponse(id, why),
      notice: (sentence) => needs.wire.notice(sentence),
    }
  }

  judge(bytes: Buffer, line: Span, flaw?: Flaw): Verdict {
    const envelope = readEnvelope(bytes, line, flaw)
    switch (envelope.kind) {
      case 'request':
        return this.#needs.questions.judge(bytes, line, envelope)
      case 'response':
        return this.#takeResponse(bytes, line, envelope)
      case 'notification':
        return this.#takeNotification(bytes, envelope)
      case 'refused':
      case 'batch':
      case 'junk':
        refuseLine(bytes, line, envelope, this.#refusing)
        return 'drop'
      default:
        return envelope satisfies never
    }
  }

  /** A long response that is still coming can be passed on as it comes, where nothing of it is for us. */
  judgeBegun(bytes: Buffer): BegunLine | undefined {
    const { requests, wire } = this.#needs
    const begun = readBegunResponse(bytes)
    const request = begun && requests.answeredBy(begun.id.value)
    if (request === undefined || request.isAmbiguous || request.id !== begun!.id.value || request.method === 'initialize' || request.told) return undefined
    const mayBeForUs = request.owners !== undefined && isAnythingHere(request.owners) && mayAsk(request.method)
    if (mayBeForUs && !begun!.isComplete) return undefined
    const rest = new ResultRest(mayBeForUs)
    if (rest.push(bytes, begun!.resultStart) !== bytes.length) return undefined
    return {
      push: (more) => rest.push(more),
      end: () => rest.end(),
      close: (why) => {
        if (why !== undefined) wire.notice(`the server sent a response that is refused: ${why}`)
        if (!requests.isOpen(request)) return
        requests.close(request)
        if (why !== undefined) wire.toClient(brokenLine(request, why))
      },
    }
  }

  #takeResponse(bytes: Buffer, line: Span, envelope: ResponseEnvelope): Verdict {
    const { requests, handshake, visits, ownIds, own, kept } = this.#needs
    const request = requests.answeredBy(envelope.id.value)
    if (request === undefined) {
      // An answer to nothing is the client's to judge, unless it answers what only we asked, or what the server has not been asked.
      if (!ownIds.has(envelope.id.value)) return this.#takeUnasked(envelope.id.value)
      own.take(bytes, envelope)
      return 'drop'
    }
    const { result, error } = envelope
    if (result && request.owners && isAnythingHere(request.owners) && mayAsk(request.method)) return this.#takeResult(request, bytes, line, envelope, result)
    if (request.method === 'initialize') handshake.takeResponse(bytes, envelope)
    if (request.told && result) kept.note(request.told)
    if (error) this.#needs.foreignEra.noteError(request)
    if (error && request.owners === undefined && visits.take(request, bytes, line, envelope.id.span, error)) return 'drop'
    return this.#end(request, envelope)
  }

  /** A request is answered once, and by the server that has it. */
  #takeUnasked(id: RequestId): Verdict {
    const { requests, held, wire } = this.#needs
    if (!held.has(id) && !requests.isUnheard(id)) return 'pass'
    wire.notice('the server answered a request that it does not have, which is refused')
    return 'drop'
  }

  /** A result that may be a question, of which something may be for us. */
  #takeResult(request: ClientRequest, bytes: Buffer, line: Span, envelope: ResponseEnvelope, result: Span): Verdict {
    const { rounds, questions } = this.#needs
    const round = readRound(bytes, result, request.owners!, request.agreed)
    switch (round.kind) {
      case 'plain':
        if (rounds.visits.has(request)) this.#carryVisit(request, bytes, result)
        return this.#end(request, envelope)
      case 'broken':
        return rounds.takeBroken(request, round.why)
      case 'asks':
        if (round.questions.every(({ owner }) => owner === 'client')) {
          questions.giveRound(round.questions, round.requestState && readText(bytes, round.requestState))
          return this.#end(request, envelope)
        }
        if (request.isAmbiguous) return rounds.takeBroken(request, 'more than one request with this id is open')
        return rounds.take(request, { bytes, line, id: envelope.id.span, round })
      default:
        return round satisfies never
    }
  }

  /** Where the client is only to come back, whoever is on a page is still awaited. */
  #carryVisit(request: ClientRequest, bytes: Buffer, result: Span): void {
    const { resultType, requestState } = readMembers(bytes, result, stateParts)?.spans ?? {}
    const state = requestState && readText(bytes, requestState)
    if (state !== undefined && resultType && readText(bytes, resultType) === 'input_required') this.#needs.rounds.visits.carry(request, state)
  }

  /** The request is answered, with the id that the client gave it. */
  #end(request: ClientRequest, { id }: ResponseEnvelope): Verdict {
    this.#needs.requests.close(request)
    return id.value === request.id ? 'pass' : [{ span: id.span, bytes: Buffer.from(request.writtenId) }]
  }

  #takeNotification(bytes: Buffer, { method, params }: Extract<Envelope, { readonly kind: 'notification' }>): Verdict {
    if (params === undefined) return 'pass'
    switch (method) {
      case 'notifications/cancelled':
        return this.#takeCancellation(bytes, params)
      case 'notifications/progress':
        this.#noteProgress(bytes, params)
        return 'pass'
      case 'notifications/elicitation/complete':
        this.#noteCompletion(bytes, params)
        return 'pass'
      default:
        return 'pass'
    }
  }

  /** The server takes a question back: one that is asked here ends, and the client, who never saw it, is not told. */
  #takeCancellation(bytes: Buffer, params: Span): Verdict {
    const { questions, wire } = this.#needs
    const found = readMembers(bytes, params, cancelParts)
    if (found && found.faults.length > 0) {
      wire.notice('the server sent a cancellation that is refused: "requestId" stands in it twice, or in a spelling that receivers read differently')
      return 'drop'
    }
    const span = found?.spans.requestId
    const id = span && readId(bytes, span)?.value
    const owner = id === undefined ? 'client' : questions.takeBack(id)
    if (owner === 'client') return 'pass'
    return owner === 'here' ? 'drop' : [{ span: span!, bytes: Buffer.from(JSON.stringify(owner.knownAs)) }]
  }

  #noteProgress(bytes: Buffer, params: Span): void {
    const { progressToken, progress } = readMembers(bytes, params, progressParts)?.spans ?? {}
    const token = progressToken && readId(bytes, progressToken)?.value
    const request = token === undefined ? undefined : this.#needs.requests.withToken(token)
    if (request && progress) request.progress = Math.max(request.progress, Number(bytes.toString('latin1', progress.start, progress.end)) || 0)
  }

  #noteCompletion(bytes: Buffer, params: Span): void {
    const id = readMembers(bytes, params, completeParts)?.spans.elicitationId
    const text = id && readText(bytes, id)
    if (text !== undefined) this.#needs.session.current?.complete(text)
  }

  #failResponse(id: RequestId, why: string): void {
    const { requests, wire } = this.#needs
    const request = requests.answeredBy(id)
    if (request === undefined) return
    requests.close(request)
    wire.toClient(brokenLine(request, why))
  }
}

function brokenLine({ writtenId }: ClientRequest, why: string): string {
  return errorLine(writtenId, brokenResponse('server', why))
}
