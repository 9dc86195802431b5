import { ConsentryError } from '../errors.ts'
import {
  inputMethods,
  isInputMethod,
  isJsonObject,
  latestLegacyRevision,
  type AnswerCapabilities,
  type DeskSession,
  type InputMethod,
  type InputRequest,
  type InputResponse,
  type JsonObject,
  type ParentCall,
  type Revision,
} from '../protocol/index.ts'
import { isTooDeep, mostLevels } from '../protocol/json.ts'
import { Declaration, knownTo, undeclared } from './capabilities.ts'
import { unlessAborted } from './clock.ts'
import { metaKeys } from './meta-keys.ts'
import { toWireError, type WireError } from './wire-error.ts'

/** Told of every question, also of those that were refused before anybody saw them. */
export interface InputObserver {
  readonly requested?: ((request: InputRequest) => void) | undefined
  readonly answered?: ((request: InputRequest, response: InputResponse) => void) | undefined
}

/** A question in either era's spelling: a request of the server, or an entry of `inputRequests`. */
export interface WireQuestion {
  readonly method: string
  readonly params?: unknown
}

export interface AnswerContext {
  readonly session: DeskSession
  /** What the server was told that it may ask. */
  readonly promised: AnswerCapabilities
  readonly revision: Revision
  readonly call?: ParentCall | undefined
  /** See `InputRequest`. */
  readonly isInCall?: boolean | undefined
  /** The question's key within its round. */
  readonly key?: string | undefined
  /** The client said that it answers this, and somebody took that over. */
  readonly isTakenOver?: boolean | undefined
  readonly observer?: InputObserver | undefined
}

/** What goes back over the wire. */
export type WireReply = { readonly result: JsonObject } | { readonly error: WireError }

/** Has one question answered by the session. Never rejects: what was not promised, or went wrong, is a refused response. */
export async function answerInput(method: InputMethod, params: unknown, context: AnswerContext, signal: AbortSignal): Promise<InputResponse> {
  const { session, promised, revision, call, isInCall, key, isTakenOver, observer } = context
  const request: InputRequest = {
    kind: inputMethods[method],
    params,
    revision,
    ...(call && { call }),
    ...(isInCall && { isInCall }),
    ...(key !== undefined && { key }),
    ...(isTakenOver && { isTakenOver }),
  }
  tell(() => observer?.requested?.(request))
  const refusal = tooDeep(params) ?? undeclared(method, params, knownTo(revision, promised))
  if (refusal) tell(() => session.refused?.(request, refusal))
  const response: InputResponse = refusal ? { outcome: 'refused', error: refusal, by: 'none' } : withTask(await ask(session, request, signal), params)
  tell(() => observer?.answered?.(request, response))
  return response
}

/**
 * Answers one question of a server: request in, response out. For clients that are none of ours: hand in what the server sent, send back what comes out.
 *
 * @returns undefined when the signal was aborted: then nothing is to be sent
 */
export async function answerInputRequest(
  session: DeskSession,
  { method, params }: WireQuestion,
  {
    revision = latestLegacyRevision,
    promised = new Declaration(session).now(),
    call,
    key,
    signal = new AbortController().signal,
  }: Partial<AnswerContext> & { readonly signal?: AbortSignal } = {},
): Promise<WireReply | undefined> {
  if (!isInputMethod(method)) return { error: toWireError(new ConsentryError('FEATURE_NOT_DECLARED', 'Method not found')) }
  return toWireReply(await answerInput(method, params, { session, promised, revision, call, key }, signal))
}

/** @returns undefined where nothing is sent */
export function toWireReply(response: InputResponse): WireReply | undefined {
  switch (response.outcome) {
    case 'answered':
      return { result: response.result }
    case 'refused':
      return { error: toWireError(response.error) }
    case 'withdrawn':
      return undefined
    default:
      return response satisfies never
  }
}

/** A client that is not ours may hand in anything; our own transports let no such message through. */
function tooDeep(params: unknown): ConsentryError | undefined {
  if (typeof params !== 'object' || params === null || !isTooDeep(params)) return undefined
  return new ConsentryError('PROTOCOL_VIOLATION', `The question is nested deeper than ${mostLevels} levels`)
}

async function ask(session: DeskSession, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
  const withdrawn: InputResponse = { outcome: 'withdrawn', reason: 'the question was taken back' }
  if (signal.aborted) return withdrawn
  try {
    return await unlessAborted(session.answer(request, signal), signal)
  } catch (error) {
    if (signal.aborted) return withdrawn
    return {
      outcome: 'refused',
      by: 'none',
      error: new ConsentryError('INTERNAL', 'The question could not be answered because of a fault here', { cause: error }),
    }
  }
}

/** Whoever watches and fails changes nothing. */
function tell(watcher: () => void): void {
  try {
    watcher()
  } catch {
    // Not ours to mend, and no reason to leave a server without its answer.
  }
}

/** @see MCP 2025-11-25 basic/utilities/tasks "Related Task Metadata" */
function withTask(response: InputResponse, params: unknown): InputResponse {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  const task = isJsonObject(meta) ? meta[metaKeys.relatedTask] : undefined
  if (response.outcome !== 'answered' || task === undefined) return response
  const own = isJsonObject(response.result['_meta']) ? response.result['_meta'] : {}
  return { ...response, result: { ...response.result, _meta: { ...own, [metaKeys.relatedTask]: task } } }
}
