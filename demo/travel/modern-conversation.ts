import { inputRequired, ProtocolError, ProtocolErrorCode, specTypeSchemas, type ServerContext } from '@modelcontextprotocol/server'
import type { Answers, Asked, Conversation, Memory, Method, Question } from './conversation.ts'

/** How the 2026-07-28 revision calls a well-formed answer to each question. */
const answerSchemas = {
  'roots/list': specTypeSchemas.ListRootsResult,
  'elicitation/create': specTypeSchemas.ElicitResult,
  'sampling/createMessage': specTypeSchemas.CreateMessageResultWithTools,
} as const

export interface ModernCall {
  /** Opened from the `requestState` that came with the call; undefined in the first round. */
  readonly memory: Memory | undefined
  /** Seals what should be remembered into the next `requestState`. */
  readonly seal: (memory: Memory) => Promise<string>
}

/** Revision 2026-07-28: the result of the call is the question, and the call comes again with the answer. */
export function openModernConversation(context: ServerContext, { memory, seal }: ModernCall): Conversation {
  // Without a state of ours nothing was asked, so that whatever claims to be an answer is none.
  const answers = memory === undefined ? undefined : context.mcpReq.inputResponses

  return {
    era: 'modern',
    signal: context.mcpReq.signal,
    memory,

    async ask<Wanted extends Method>(key: string, question: Question<Wanted>, remember: Memory = {}): Promise<Asked<Answers[Wanted]>> {
      const given = answers !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined
      if (given !== undefined) return { outcome: 'answered', answer: parseAnswer(key, question.method, given) }
      return { outcome: 'pending', result: inputRequired({ inputRequests: { [key]: question }, requestState: await seal(remember) }) }
    },

    async later(remember) {
      return inputRequired({ requestState: await seal(remember) })
    },

    reportComplete() {},
  }
}

function parseAnswer<Wanted extends Method>(key: string, method: Wanted, given: unknown): Answers[Wanted] {
  const parsed = answerSchemas[method]['~standard'].validate(given)
  if (parsed.issues !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `inputResponses.${key} does not answer ${method}`)
  return parsed.value as Answers[Wanted]
}
