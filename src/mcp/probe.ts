import { SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isJsonObject, isRevision, latestRevision, type JsonObject } from '../protocol/index.ts'
import type { Reply } from './asked-requests.ts'
import { within, type Clock } from './clock.ts'
import { metaKeys } from './meta-keys.ts'
import { fromSdkError } from './sdk-error.ts'
import type { StrictTransport } from './strict-transport.ts'
import { wireCodes } from './wire-error.ts'

/** What a server says to `server/discover`. */
export type Finding =
  | { readonly kind: 'modern'; readonly discover: JsonObject }
  /** It answered, and does not speak a modern revision. */
  | { readonly kind: 'legacy' }
  /** It ended. */
  | { readonly kind: 'gone' }
  /** It cannot be spoken to at all. */
  | { readonly kind: 'unreachable'; readonly error: ConsentryError }

export interface Probe {
  /** `silent`: it said nothing in time, and may still. */
  readonly finding: Finding | { readonly kind: 'silent' }
  /** What it says in the end. */
  readonly eventually: Promise<Finding>
}

/**
 * Asks a server once, and for a bounded time, whether it speaks 2026-07-28.
 * @see MCP 2026-07-28 basic/versioning "Backward Compatibility with Initialization-Based Versions"
 */
export async function probe(transport: StrictTransport, clientInfo: JsonObject, milliseconds: number, clock: Clock): Promise<Probe> {
  const leaves = new AbortController()
  // Capabilities are put in when the question leaves.
  const meta = { [metaKeys.protocolVersion]: latestRevision, [metaKeys.clientInfo]: clientInfo, [metaKeys.clientCapabilities]: {} }
  const eventually = transport.ask('server/discover', { _meta: meta }, leaves.signal).then(read)
  const finding = (await within(clock, milliseconds, eventually)) ?? { kind: 'silent' as const }
  if (finding.kind === 'silent' && transport.hasPerRequestStream) leaves.abort()
  return { finding, eventually }
}

function read(reply: Reply): Finding {
  switch (reply.kind) {
    case 'result': {
      const { supportedVersions, capabilities } = reply.result
      if (!Array.isArray(supportedVersions) || !isJsonObject(capabilities)) return { kind: 'legacy' }
      return fromVersions(supportedVersions, reply.result)
    }
    case 'error': {
      const supported = isJsonObject(reply.error.data) ? reply.error.data['supported'] : undefined
      const isModern = reply.error.code === wireCodes.unsupportedRevision && Array.isArray(supported)
      return isModern ? fromVersions(supported, undefined) : { kind: 'legacy' }
    }
    case 'failed':
      return fromFailure(reply.error)
    case 'closed':
      return { kind: 'gone' }
    default:
      return reply satisfies never
  }
}

function fromVersions(supported: readonly unknown[], discover: JsonObject | undefined): Finding {
  if (discover && supported.includes(latestRevision)) return { kind: 'modern', discover }
  if (supported.some(isRevision)) return { kind: 'legacy' }
  const error = new ConsentryError(
    'SERVER_UNREACHABLE',
    `The server speaks no revision of the protocol that we speak, only ${supported.slice(0, 5).join(', ')}`,
  )
  return { kind: 'unreachable', error }
}

/** Over HTTP an older server refuses the question in some way of its own; only a refusal of us, or no server at all, is final. */
function fromFailure(error: unknown): Finding {
  if (error instanceof ConsentryError && error.code === 'CONNECTION_LOST') return { kind: 'gone' }
  const isRefusal = error instanceof SdkHttpError || (error instanceof Error && 'code' in error && error.code === 'CLIENT_HTTP_UNEXPECTED_CONTENT')
  const isDenial = error instanceof UnauthorizedError || (error instanceof SdkHttpError && (error.status === 401 || error.status === 403))
  if (isRefusal && !isDenial) return { kind: 'legacy' }
  const known = fromSdkError(error)
  const { data } = known
  // What the system says of a socket names no reason to a person.
  const message = known.code === 'CONNECTION_LOST' ? `The server cannot be reached (${known.message}): is the address right, and does it run?` : known.message
  return { kind: 'unreachable', error: new ConsentryError('SERVER_UNREACHABLE', message, { cause: known, ...(data && { data }) }) }
}
