import { readEnvelope } from './envelope.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { listMembers } from './read-members.ts'
import { readRequest } from './read-request.ts'
import { applyEdits, type Edit } from './request-lines.ts'

/** What a request carries when it goes to the server once more. */
export interface Retry {
  /** As JSON; absent: the id that it has. */
  readonly id?: Buffer | undefined
  /** What the server is told of its client now; absent: as the line says. */
  readonly capabilities?: Buffer | undefined
  /** The answers, as a JSON object; absent: those of the line. */
  readonly inputResponses?: Buffer | undefined
  /** The server's own state, as it wrote it; null: it gave none. Absent: as the line says. */
  readonly requestState?: Buffer | null | undefined
}

const rewritten = new KeySet(['inputResponses', 'requestState'])

/**
 * Writes a request of the client anew: the same bytes but for its id, its capabilities, and what answers the server's questions.
 *
 * @param line a line that was read before and found to be a request
 */
export function writeRetry(bytes: Buffer, line: Span, retry: Retry): readonly Buffer[] {
  const envelope = readEnvelope(bytes, line)
  if (envelope.kind !== 'request') return [bytes.subarray(line.start, line.end)]
  const { id, params } = envelope
  const edits: Edit[] = retry.id ? [{ span: id.span, bytes: retry.id }] : []
  const parts = readRequest(bytes, params)
  const span = typeof parts === 'string' ? undefined : parts.capabilities
  const edit = span && retry.capabilities && { span, bytes: retry.capabilities }
  if (params === undefined || (retry.inputResponses === undefined && retry.requestState === undefined))
    return applyEdits(bytes, line, edit ? [...edits, edit] : edits)
  return applyEdits(bytes, line, [...edits, { span: params, bytes: rewriteParams(bytes, params, retry, edit) }])
}

function rewriteParams(bytes: Buffer, params: Span, { inputResponses, requestState }: Retry, edit: Edit | undefined): Buffer {
  const members = (listMembers(bytes, params) ?? [])
    .filter(({ key }) => rewritten.find(bytes, key.start + 1, key.end - 1).index < 0)
    .map(({ key, value }) => {
      const isEdited = edit && edit.span.start >= value.start && edit.span.end <= value.end
      return Buffer.concat(applyEdits(bytes, { start: key.start, end: value.end }, isEdited ? [edit] : []))
    })
  if (inputResponses) members.push(Buffer.concat([Buffer.from('"inputResponses":'), inputResponses]))
  if (requestState) members.push(Buffer.concat([Buffer.from('"requestState":'), requestState]))
  return Buffer.concat([Buffer.from('{'), ...members.flatMap((member, index) => (index === 0 ? [member] : [Buffer.from(','), member])), Buffer.from('}')])
}
