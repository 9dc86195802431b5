import type { WireReply } from '../mcp/answer-input.ts'
import { toWireError, wireCodes } from '../mcp/wire-error.ts'
import { isJsonObject, type InputMethod } from '../protocol/index.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers } from './read-members.ts'
import { errorLine, resultLine } from './request-lines.ts'

const errorParts = new KeySet(['code'])

/** Whether a client says with its error that it does not know what it was asked. @see JSON-RPC 2.0 "Error object" */
export function isUnknownMethod(bytes: Buffer, error: Span): boolean {
  const code = readMembers(bytes, error, errorParts)?.spans.code
  return code !== undefined && Number(bytes.toString('utf8', code.start, code.end)) === wireCodes.methodNotFound
}

/** The line that answers a question. @throws RangeError where the answer echoes something that is nested deeper than can be written */
export function replyLine(writtenId: string, reply: WireReply): string {
  return 'result' in reply ? resultLine(writtenId, JSON.stringify(reply.result)) : errorLine(writtenId, reply.error)
}

/** What a server gets that still waits although nobody is asked any more. */
export function unanswered(method: InputMethod, reason: unknown): WireReply {
  return method === 'elicitation/create' ? { result: { action: 'cancel' } } : { error: toWireError(reason) }
}

/** Where a line that was kept stands: all of it. */
export function wholeOf(line: Buffer): Span {
  return { start: 0, end: line.length }
}

/** The whole message; undefined for what is no JSON object. */
export function parseLine(bytes: Buffer, { start, end }: Span): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a question of the server wants to be told of progress under, if it does. */
export function progressTokenOf(params: unknown): unknown {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) ? meta['progressToken'] : undefined
}
