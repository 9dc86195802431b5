import type { Client } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isInputMethod, isJsonObject, type InputMethod, type InputResponse, type JsonObject } from '../protocol/index.ts'
import { answerInput, toWireReply, type AnswerContext } from './answer-input.ts'
import type { Clock } from './clock.ts'
import { followVisit, readVisit } from './follow-visit.ts'
import type { OpenCalls, OpenQuestion } from './open-calls.ts'
import type { Rereading } from './rereading.ts'
import { throwable, toWireError } from './wire-error.ts'
import { isWireId } from './wire-message.ts'

export interface AnswerRequestsNeeds {
  readonly calls: OpenCalls
  readonly clock: Clock
  readonly rereading: Rereading
  /** Everything but the call, as it is at this moment. */
  readonly context: () => AnswerContext
}

/** So often is a server that asked for progress told that its question still waits. */
const progressEveryMs = 5000

/**
 * Answers what a legacy server asks: raw, with one answer each, for as long as it takes.
 *
 * Typed handlers of the three methods are taken away, because the SDK would strip what it does not know before they see it. Other methods keep
 * whoever handled them; nobody: the server is told that the method does not exist.
 * @see MCP 2025-11-25 basic/utilities/cancellation "Behavior Requirements"
 */
export function answerRequests(client: Client, needs: AnswerRequestsNeeds): void {
  const others = client.fallbackRequestHandler
  for (const method of ['roots/list', 'elicitation/create', 'sampling/createMessage']) client.removeRequestHandler(method)
  client.fallbackRequestHandler = async (request, extra) => {
    const { method, params } = request
    if (isInputMethod(method)) return answer(method, params, extra.mcpReq.signal, needs, client)
    if (others) return others(request, extra)
    throw throwable(toWireError(new ConsentryError('FEATURE_NOT_DECLARED', 'Method not found')))
  }
}

async function answer(method: InputMethod, params: unknown, takenBack: AbortSignal, needs: AnswerRequestsNeeds, client: Client): Promise<JsonObject> {
  const question = needs.calls.ask(takenBack)
  const stop = reportProgress(client, params, needs.clock)
  const answered = method === 'roots/list' ? needs.rereading.asked({ isInCall: question.call !== undefined }) : undefined
  // Servers read their folders when they like: that a call is open then says nothing about what for.
  const asker = method === 'roots/list' ? { isInCall: question.call !== undefined } : { call: question.call }
  try {
    const context = needs.context()
    const response = await answerInput(method, params, { ...context, ...asker }, question.signal)
    void keepVisit(params, response, question, needs)
    const reply = toWireReply(response) ?? withdrawn(method, question.signal.reason)
    if ('error' in reply) throw throwable(reply.error)
    return reply.result
  } finally {
    stop()
    question.done()
    answered?.()
  }
}

/** While somebody is on a page, the call that sent them there is not charged for it. */
async function keepVisit(params: unknown, response: InputResponse, question: OpenQuestion, { context, clock }: AnswerRequestsNeeds): Promise<void> {
  const page = readVisit(params, response)
  const visit = page && question.follow()
  if (page === undefined || visit === undefined) return
  const outcome = await followVisit(page, { ...context(), call: visit.call }, clock, visit.signal)
  if (outcome === 'given-up') visit.giveUp()
  visit.done()
}

/** The server still waits although we do not ask any more (it never does where it took the question back itself: the SDK sends nothing then). */
function withdrawn(method: InputMethod, reason: unknown): NonNullable<ReturnType<typeof toWireReply>> {
  return method === 'elicitation/create' ? { result: { action: 'cancel' } } : { error: toWireError(reason) }
}

/** Keeps a server's own request alive while somebody thinks, where it asked for that. @see MCP basic/utilities/progress */
function reportProgress(client: Client, params: unknown, clock: Clock): () => void {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
  if (!isWireId(progressToken)) return () => {}
  let progress = 0
  let cancel = (): void => {}
  const report = (): void => {
    progress += 1
    client.notification({ method: 'notifications/progress', params: { progressToken, progress, message: 'Waiting for an answer' } }).catch(() => {})
    cancel = clock.after(progressEveryMs, report)
  }
  cancel = clock.after(progressEveryMs, report)
  return () => cancel()
}
