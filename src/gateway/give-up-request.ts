import { visitGivenUp } from '../mcp/follow-visit.ts'
import { toWireError } from '../mcp/wire-error.ts'
import type { ClientRequest, ClientRequests } from './client-requests.ts'
import { errorLine } from './request-lines.ts'
import type { Wire } from './wire.ts'

/** Ends a request because somebody who was sent to a page by it wants no more of it: the server is told once, and the client gets one error. */
export function giveUpRequest(request: ClientRequest, { requests, wire }: { readonly requests: ClientRequests; readonly wire: Wire }): void {
  const error = visitGivenUp()
  if (request.upstream !== undefined) wire.toServer(cancellationLine(request, error.message))
  requests.endHere(request)
  request.controller?.abort(error)
  wire.toClient(givenUpLine(request.writtenId))
}

/** @param id as the client wrote it */
export function givenUpLine(id: string): string {
  const error = visitGivenUp()
  return errorLine(id, { ...toWireError(error), message: error.message })
}

/** The id as the server knows it, and as it was written. */
function cancellationLine({ id, writtenId, upstream }: ClientRequest, reason: string): string {
  const requestId = upstream === id ? writtenId : JSON.stringify(upstream)
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${requestId},"reason":${JSON.stringify(reason)}}}\n`
}
