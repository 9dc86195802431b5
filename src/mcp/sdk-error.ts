import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import { readWireError, serverError, type WireError } from './wire-error.ts'

const lost: ReadonlySet<string> = new Set([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed])
const broken: ReadonlySet<string> = new Set([SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType])

/** The connection was there and is gone. */
export function isLoss(error: unknown): boolean {
  return (error instanceof SdkError && lost.has(error.code)) || (error instanceof ConsentryError && error.code === 'CONNECTION_LOST')
}

/** Says in our words what the SDK, or the transport below it, reports of a request. */
export function fromSdkError(error: unknown): ConsentryError {
  if (error instanceof ConsentryError) return error
  if (error instanceof ProtocolError) return serverError(error, { cause: error })
  if (error instanceof SdkHttpError) return fromHttpError(error)
  if (error instanceof SdkError) {
    if (isLoss(error)) return new ConsentryError('CONNECTION_LOST', 'The connection to the server is lost', { cause: error })
    if (broken.has(error.code))
      return new ConsentryError('PROTOCOL_VIOLATION', `The server broke the protocol: ${error.message.slice(0, 300)}`, { cause: error })
    if (error.code === SdkErrorCode.RequestTimeout) return new ConsentryError('CALL_TIMED_OUT', 'The server did not answer in time', { cause: error })
    if (error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) return new ConsentryError('USAGE', error.message.slice(0, 300), { cause: error })
    return new ConsentryError('SERVER_UNREACHABLE', error.message.slice(0, 300), { cause: error })
  }
  // Not even as the cause, which is printed with it.
  return new ConsentryError('CONNECTION_LOST', wordsOf(error), error instanceof TypeError ? {} : { cause: error })
}

/** What a failure says. The text of a TypeError repeats the value that was wrong, which may be a secret: it is never passed on. */
export function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return 'The request could not be sent because of a fault here or in its values'
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}

/** A server may put a JSON-RPC error into the body of a refusal. */
function fromHttpError(error: SdkHttpError): ConsentryError {
  const { status } = error
  if (status === 401 || status === 403)
    return new ConsentryError('SERVER_UNREACHABLE', `The server refuses access (HTTP ${status}). Does the entry need "headers" with a token?`, {
      cause: error,
      data: { status },
    })
  const wire = wireErrorIn(error.data.text)
  if (wire) return serverError(wire, { cause: error })
  return new ConsentryError('SERVER_UNREACHABLE', `The server answers with HTTP ${status}. Is this the address of an MCP endpoint?`, {
    cause: error,
    data: { status },
  })
}

function wireErrorIn(text: unknown): WireError | undefined {
  try {
    const body: unknown = JSON.parse(String(text))
    return isJsonObject(body) ? readWireError(body['error']) : undefined
  } catch {
    return undefined
  }
}
