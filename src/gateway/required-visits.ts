import { answerInput, type InputObserver } from '../mcp/answer-input.ts'
import { UrlVisits } from '../mcp/url-required.ts'
import { readWireError, serverError, wireCodes, type WireError } from '../mcp/wire-error.ts'
import type { JsonObject } from '../protocol/index.ts'
import { lineOf, type ClientRequest } from './client-requests.ts'
import { applyEdits } from './edit.ts'
import type { Handshake } from './handshake.ts'
import type { Span } from './json-bytes.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import { KeySet } from './key-set.ts'
import type { LazySession } from './lazy-session.ts'
import type { OwnIds } from './own-ids.ts'
import { parentCallOf } from './parent-call.ts'
import { readMembers } from './read-members.ts'
import { writeRetry } from './write-retry.ts'

export interface VisitNeeds extends KeepAliveNeeds {
  readonly session: LazySession
  readonly handshake: Handshake
  readonly observer: InputObserver | undefined
  readonly ownIds: OwnIds
}

const parts = new KeySet(['code'])

/**
 * The error that says "visit these pages first", towards a client that cannot open any: the person is asked here, and the same request is sent again.
 *
 * @see MCP 2025-11-25 client/elicitation "URL Elicitation Required Error"
 */
export class RequiredVisits {
  readonly #needs: VisitNeeds
  readonly #visits = new WeakMap<ClientRequest, UrlVisits>()

  constructor(needs: VisitNeeds) {
    this.#needs = needs
  }

  /** @param error of a response @returns false where it is another error: it is the client's */
  take(request: ClientRequest, bytes: Buffer, line: Span, id: Span, error: Span): boolean {
    if (this.#needs.handshake.owners.url !== 'here' || request.isAmbiguous || request.line === undefined) return false
    const code = readMembers(bytes, error, parts)?.spans.code
    if (code === undefined || Number(bytes.toString('latin1', code.start, code.end)) !== wireCodes.urlElicitationRequired) return false
    const wire = parseError(bytes, error)
    if (wire === undefined) return false
    this.#needs.requests.pause(request)
    void this.#settle(request, wire, Buffer.concat([applyEdits(bytes, line, [{ span: id, bytes: Buffer.from(request.writtenId) }]), newline]))
    return true
  }

  async #settle(request: ClientRequest, error: WireError, asItCame: Buffer): Promise<void> {
    const { requests, wire } = this.#needs
    const stop = keepAlive(this.#needs, [request])
    try {
      const isDone = await this.#visit(request, error)
      if (!requests.isOpen(request)) return
      if (isDone) return this.#resend(request)
      requests.close(request)
      wire.toClient(asItCame)
    } catch {
      // Whatever went wrong here: the client can still be told what the server said.
      if (!requests.isOpen(request)) return
      requests.close(request)
      wire.toClient(asItCame)
    } finally {
      stop()
    }
  }

  async #visit(request: ClientRequest, error: WireError): Promise<boolean> {
    const { session: lazy, handshake, observer } = this.#needs
    const session = await lazy.open()
    const visits = this.#visits.get(request) ?? new UrlVisits()
    this.#visits.set(request, visits)
    const about = { revision: handshake.revision, call: parentCallOf([request]) }
    const context = { session, promised: handshake.promised, observer, ...about }
    return visits.satisfy(serverError(error), {
      session,
      request: about,
      answer: (params: JsonObject, signal) => answerInput('elicitation/create', params, context, signal),
      signal: request.controller!.signal,
    })
  }

  #resend(request: ClientRequest): void {
    const { requests, wire, ownIds } = this.#needs
    const id = ownIds.create()
    requests.resend(request, id)
    wire.toServer(Buffer.concat([writeRetry(lineOf(request), { id: Buffer.from(JSON.stringify(id)) }), newline]))
  }
}

const newline = Buffer.from('\n')

function parseError(bytes: Buffer, { start, end }: Span): WireError | undefined {
  try {
    return readWireError(JSON.parse(bytes.toString('utf8', start, end)))
  } catch {
    return undefined
  }
}
