import { applyEdits, type Edit } from './edit.ts'
import { readEnvelope } from './envelope.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { listMembers } from './read-members.ts'
import { readRequest } from './read-request.ts'

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
 * What has to be changed of a request of the client when it goes to the server once more: its id, its capabilities, and what answers the server's
 * questions. Every other byte stays.
 *
 * @param line a line that was read before and found to be a request
 */
export function retryEdits(bytes: Buffer, line: Span, retry: Retry): readonly Edit[] {
  const envelope = readEnvelope(bytes, line)
  if (envelope.kind !== 'request') return []
  const { id, params } = envelope
  const edits: Edit[] = retry.id ? [{ span: id.span, bytes: retry.id }] : []
  const parts = readRequest(bytes, params)
  const span = typeof parts === 'string' ? undefined : parts.capabilities
  const edit = span && retry.capabilities && { span, bytes: retry.capabilities }
  if (params === undefined || (retry.inputResponses === undefined && retry.requestState === undefined)) return edit ? [...edits, edit] : edits
  return [...edits, { span: params, bytes: rewriteParams(bytes, params, retry, edit) }]
}

/** @param line of a request that was kept */
export function writeRetry(line: Buffer, retry: Retry): Buffer {
  const whole = { start: 0, end: line.length }
  return applyEdits(line, whole, retryEdits(line, whole, retry))
}

function rewriteParams(bytes: Buffer, params: Span, { inputResponses, requestState }: Retry, edit: Edit | undefined): Buffer {
  const members = (listMembers(bytes, params) ?? [])
    .filter(({ key }) => rewritten.find(bytes, key.start + 1, key.end - 1).index < 0)
    .map(({ key, value }) => {
      const isEdited = edit && edit.span.start >= value.start && edit.span.end <= value.end
      return applyEdits(bytes, { start: key.start, end: value.end }, isEdited ? [edit] : [])
    })
  if (inputResponses) members.push(Buffer.concat([Buffer.from('"inputResponses":'), inputResponses]))
  if (requestState) members.push(Buffer.concat([Buffer.from('"requestState":'), requestState]))
  return Buffer.concat([Buffer.from('{'), ...members.flatMap((member, index) => (index === 0 ? [member] : [Buffer.from(','), member])), Buffer.from('}')])
}
