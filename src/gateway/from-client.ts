import { wireCodes } from '../mcp/wire-error.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { mayAsk, type ClientRequest, type ClientRequests } from './client-requests.ts'
import { applyEdits } from './edit.ts'
import { readEnvelope, readId, type Envelope, type Flaw } from './envelope.ts'
import { givenUpLine } from './give-up-request.ts'
import type { Handshake } from './handshake.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { KnownMeta } from './known-meta.ts'
import type { HeldLines } from './held-lines.ts'
import type { KeptRequest } from '../host/kept-requests.ts'
import type { LazySession } from './lazy-session.ts'
import type { Verdict } from './line-feed.ts'
import type { ModernPromise } from './modern-promise.ts'
import { readMembers } from './read-members.ts'
import { readClientName, readRequest, type RequestParts } from './read-request.ts'
import { refuseLine, refuseRequest, type RefuseNeeds } from './refuse-line.ts'
import { errorLine } from './request-lines.ts'
import type { RoundHandles } from './round-handles.ts'
import type { Rounds } from './rounds.ts'
import type { ServerQuestions } from './server-questions.ts'
import { isAnythingHere, type Owners } from './share-features.ts'
import { writtenId, type Wire } from './wire.ts'

export interface FromClientNeeds {
  readonly wire: Wire
  readonly requests: ClientRequests
  readonly questions: ServerQuestions
  readonly handshake: Handshake
  readonly promise: ModernPromise
  readonly rounds: Rounds
  readonly handles: RoundHandles
  readonly session: LazySession
  readonly held: HeldLines
}

interface RequestNotes {
  readonly line: Span | undefined
  readonly owners: Owners | undefined
  readonly agreed?: Owners | undefined
  readonly parts: RequestParts | undefined
  readonly told?: KeptRequest | undefined
}

type RequestEnvelope = Extract<Envelope, { readonly kind: 'request' }>

const cancelParts = new KeySet(['requestId'])

/** What becomes of each line of the client: nearly all go on as they came. */
export class FromClient {
  readonly #needs: FromClientNeeds
  readonly #refusing: RefuseNeeds
  readonly #knownMeta = new KnownMeta()

  constructor(needs: FromClientNeeds) {
    this.#needs = needs
    this.#refusing = {
      sender: 'client',
      reply: (text) => needs.wire.toClient(text),
      failResponse: (id, why) => needs.questions.failResponse(id, why),
      notice: (sentence) => needs.wire.notice(sentence),
    }
  }

  judge(bytes: Buffer, line: Span, flaw?: Flaw): Verdict {
    const envelope = readEnvelope(bytes, line, flaw)
    switch (envelope.kind) {
      case 'request':
        return this.#needs.held.mustWait(envelope.method) ? this.#needs.held.keep(bytes, line, envelope.id) : this.#takeRequest(bytes, line, envelope)
      case 'response':
        return this.#needs.questions.takeResponse(bytes, envelope)
      case 'notification':
        return this.#takeNotification(bytes, line, envelope)
      case 'refused':
      case 'batch':
      case 'junk':
        refuseLine(bytes, line, envelope, this.#refusing)
        return 'drop'
      default:
        return envelope satisfies never
    }
  }

  #takeRequest(bytes: Buffer, line: Span, envelope: RequestEnvelope): Verdict {
    const { method, params } = envelope
    if (method === 'initialize') {
      const { handshake } = this.#needs
      const verdict = handshake.takeRequest(bytes, params)
      if (typeof verdict === 'object' && 'why' in verdict) return this.#refuse(bytes, envelope, verdict.why)
      handshake.remember(applyEdits(bytes, line, verdict === 'pass' || verdict === 'drop' ? [] : verdict))
      return this.#open(bytes, envelope, { line: undefined, owners: undefined, parts: undefined }) ?? verdict
    }
    const parts = readRequest(bytes, params, this.#knownMeta)
    if (typeof parts === 'string') return this.#refuse(bytes, envelope, parts)
    // What does not say what its client can be asked cannot bring a round to its end, and the server does not know our handle.
    if ((!parts.isModern || parts.capabilities === undefined) && this.#carriesHandle(bytes, parts)) return this.#refuseState(bytes, envelope)
    if (parts.isModern) return this.#takeModern(bytes, line, envelope, parts)
    const told = isKept(method) ? { method, params: parseParams(bytes, params) } : undefined
    const kept = mayAsk(method) && isAnythingHere(this.#needs.handshake.owners) ? line : undefined
    return this.#open(bytes, envelope, { line: kept, owners: undefined, parts, told }) ?? 'pass'
  }

  /** A request that says itself what its client can be asked. */
  #takeModern(bytes: Buffer, line: Span, envelope: RequestEnvelope, parts: RequestParts): Verdict {
    const { promise, session, questions, rounds, requests, wire } = this.#needs
    const { capabilities } = parts
    if (capabilities === undefined) return this.#open(bytes, envelope, { line: undefined, owners: undefined, parts }) ?? 'pass'
    session.client ??= readClientName(bytes, parts.clientInfo)
    const merged = promise.merge(bytes, capabilities)
    if (typeof merged === 'string') return this.#refuse(bytes, envelope, merged)
    questions.takeReturn(bytes, parts)
    const resumed = this.#resume(bytes, line, envelope, parts, merged.bytes)
    if (resumed === 'drop') return resumed
    const kept = mayAsk(envelope.method) && isAnythingHere(merged.owners) ? line : undefined
    const { visits } = rounds
    const state = parts.requestState && readText(bytes, parts.requestState)
    if (state !== undefined && visits.isGivenUp(state)) {
      wire.toClient(givenUpLine(writtenId(bytes, envelope.id)))
      return 'drop'
    }
    const refused = this.#open(bytes, envelope, { line: kept, owners: merged.owners, agreed: merged.agreed, parts })
    const request = refused ? undefined : requests.find(envelope.id.value)
    if (state !== undefined && request) visits.resume(request, state)
    return refused ?? resumed ?? (merged.isChanged ? [{ span: capabilities, bytes: merged.bytes }] : 'pass')
  }

  /** The second half of a round that was split: undefined where the state is the server's own. */
  #resume(bytes: Buffer, line: Span, envelope: RequestEnvelope, parts: RequestParts, capabilities: Buffer): Verdict | undefined {
    if (!this.#carriesHandle(bytes, parts)) return undefined
    return this.#needs.rounds.resume(bytes, line, parts, capabilities) ?? this.#refuseState(bytes, envelope)
  }

  #carriesHandle(bytes: Buffer, { requestState }: RequestParts): boolean {
    const state = requestState && readText(bytes, requestState)
    return state !== undefined && this.#needs.handles.isOurs(state)
  }

  #refuseState(bytes: Buffer, { id }: RequestEnvelope): 'drop' {
    const message = 'Invalid params: this requestState is unknown, too old, or belongs to another request'
    this.#needs.wire.toClient(errorLine(writtenId(bytes, id), { code: wireCodes.invalidParams, message, data: { path: 'requestState' } }))
    return 'drop'
  }

  #takeNotification(bytes: Buffer, line: Span, { method, params }: Extract<Envelope, { readonly kind: 'notification' }>): Verdict {
    const { handshake, held, questions } = this.#needs
    if (held.isShut && method !== 'notifications/cancelled') return held.keep(bytes, line)
    switch (method) {
      case 'notifications/initialized':
        handshake.takeInitialized()
        return 'pass'
      case 'notifications/cancelled':
        return this.#takeCancellation(bytes, params)
      case 'notifications/roots/list_changed':
        // The server was told of our folders, not of the client's.
        return handshake.owners.roots === 'client' ? 'pass' : 'drop'
      case 'notifications/progress':
        return questions.isForgotten(bytes, params) ? 'drop' : 'pass'
      default:
        return 'pass'
    }
  }

  /** The client gives a request up: the server is told by the id that it knows, and what is asked here for it ends. */
  #takeCancellation(bytes: Buffer, params: Span | undefined): Verdict {
    const { requests, questions, wire, held } = this.#needs
    const found = params && readMembers(bytes, params, cancelParts)
    if (found && found.faults.length > 0) {
      wire.notice('the client sent a cancellation that is refused: "requestId" stands in it twice, or in a spelling that receivers read differently')
      return 'drop'
    }
    const span = found?.spans.requestId
    const id = span && readId(bytes, span)?.value
    if (id !== undefined && held.forget(id)) return 'drop'
    const request = id === undefined ? undefined : requests.find(id)
    if (span === undefined || request === undefined) return held.isShut ? 'drop' : 'pass'
    const { upstream } = request
    requests.drop(request)
    request.controller?.abort(new Error('the client cancelled its request'))
    questions.withdrawFor(request)
    if (upstream === request.id) return 'pass'
    return upstream === undefined ? 'drop' : [{ span, bytes: Buffer.from(JSON.stringify(upstream)) }]
  }

  /** Notes a request that goes on. @returns a verdict where it must not */
  #open(bytes: Buffer, envelope: RequestEnvelope, { line, owners, agreed, parts, told }: RequestNotes): 'drop' | undefined {
    const { id, method } = envelope
    const request: ClientRequest = {
      id: id.value,
      writtenId: writtenId(bytes, id),
      method,
      line: line && bytes.toString('latin1', line.start, line.end),
      owners,
      agreed,
      progressToken: parts?.progressToken,
      progress: 0,
      upstream: id.value,
      isAmbiguous: false,
      twins: 0,
      told,
      rounds: 0,
      controller: undefined,
    }
    return this.#needs.requests.open(request) ? undefined : this.#refuse(bytes, envelope, 'a request with this id is still open')
  }

  #refuse(bytes: Buffer, { id }: RequestEnvelope, why: string): 'drop' {
    refuseRequest(bytes, id, why, this.#refusing)
    this.#needs.wire.notice(`the client sent a request that is refused: ${why}`)
    return 'drop'
  }
}

/** What a server is told once and for all. */
function isKept(method: string): boolean {
  return method === 'logging/setLevel' || method === 'resources/subscribe' || method === 'resources/unsubscribe'
}

function parseParams(bytes: Buffer, params: Span | undefined): JsonObject | undefined {
  try {
    const value: unknown = params && JSON.parse(bytes.toString('utf8', params.start, params.end))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
