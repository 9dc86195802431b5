import { metaKeys } from '../mcp/meta-keys.ts'
import { readEnvelope, readId, type Envelope, type RequestId } from './envelope.ts'
import { openBrace, quote, readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMeta, type KnownMeta } from './known-meta.ts'
import { readMembers } from './read-members.ts'

const parts = new KeySet(['_meta', 'requestState', 'inputResponses'])
const named = new KeySet(['name', 'uri'])

/** What matters here of a client's request. */
export interface RequestParts {
  /** 2026-07-28: the request says itself which revision it is of, and what its client can be asked. */
  readonly isModern: boolean
  readonly meta: Span | undefined
  readonly capabilities: Span | undefined
  readonly clientInfo: Span | undefined
  readonly requestState: Span | undefined
  readonly inputResponses: Span | undefined
  readonly progressToken: RequestId | undefined
}

const plain: RequestParts = {
  isModern: false,
  meta: undefined,
  capabilities: undefined,
  clientInfo: undefined,
  requestState: undefined,
  inputResponses: undefined,
  progressToken: undefined,
}

/**
 * Reads the parts of a request that decide who answers what it brings up.
 *
 * @returns a text: two receivers could read it differently
 * @see MCP 2026-07-28 basic "`_meta`"
 */
export function readRequest(bytes: Buffer, params: Span | undefined, known?: KnownMeta): RequestParts | string {
  const found = params && readMembers(bytes, params, parts)
  if (found === undefined) return plain
  const { _meta: meta, requestState, inputResponses } = found.spans
  const inMeta = meta && (known ? known.read(bytes, meta) : readMeta(bytes, meta))
  const twice = found.faults[0] ?? inMeta?.faults[0]
  if (twice !== undefined) return `"${twice}" stands in it twice, or in a spelling that receivers read differently`
  if (inMeta === undefined) return requestState || inputResponses ? { ...plain, meta, requestState, inputResponses } : plain
  const version = inMeta.spans[metaKeys.protocolVersion]
  const capabilities = inMeta.spans[metaKeys.clientCapabilities]
  const token = inMeta.spans.progressToken
  return {
    isModern: version !== undefined && bytes[version.start] === quote,
    meta,
    capabilities: capabilities && bytes[capabilities.start] === openBrace ? capabilities : undefined,
    clientInfo: inMeta.spans[metaKeys.clientInfo],
    requestState,
    inputResponses,
    progressToken: token && readId(bytes, token)?.value,
  }
}

/** A request that was read before and kept, read again; undefined never happens to those. */
export function readKeptRequest(
  line: Buffer,
): { readonly envelope: Extract<Envelope, { readonly kind: 'request' }>; readonly parts: RequestParts } | undefined {
  const envelope = readEnvelope(line, { start: 0, end: line.length })
  const parts = envelope.kind === 'request' ? readRequest(line, envelope.params) : 'no request'
  return envelope.kind === 'request' && typeof parts !== 'string' ? { envelope, parts } : undefined
}

const introduction = new KeySet(['clientInfo'])
const infoParts = new KeySet(['name'])

/** What the client calls itself. */
export function readClientName(bytes: Buffer, clientInfo: Span | undefined): string | undefined {
  const name = clientInfo && readMembers(bytes, clientInfo, infoParts)?.spans.name
  return name && readText(bytes, name)
}

/** What a client calls itself in its first request, of either era. */
export function readIntroduction(line: Buffer): string | undefined {
  const request = readKeptRequest(line)
  const params = request?.envelope.params
  const clientInfo = request?.parts.clientInfo ?? (params && readMembers(line, params, introduction)?.spans.clientInfo)
  return readClientName(line, clientInfo)
}

/** What a request is about: the tool, the prompt or the resource; undefined where that is not plain. */
export function readSubject(bytes: Buffer, params: Span | undefined): { readonly name?: string | undefined; readonly uri?: string | undefined } {
  const found = params && readMembers(bytes, params, named)
  if (found === undefined || found.faults.length > 0) return {}
  const { name, uri } = found.spans
  return { name: name && readText(bytes, name), uri: uri && readText(bytes, uri) }
}
