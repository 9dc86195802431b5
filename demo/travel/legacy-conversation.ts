import type { Server, ServerContext } from '@modelcontextprotocol/server'
import type { Answers, Asked, Conversation, Method, Question } from './conversation.ts'

/** People may think for half an hour. */
const humanPatience = 30 * 60_000

/** Revisions up to 2025-11-25: the server sends requests of its own while the call is open. */
export function openLegacyConversation(server: Server, context: ServerContext): Conversation {
  const { signal } = context.mcpReq

  return {
    era: 'legacy',
    signal,
    memory: undefined,

    async ask<Wanted extends Method>(_key: string, question: Question<Wanted>): Promise<Asked<Answers[Wanted]>> {
      // Asking for progress lets the client keep the question open for longer than any timeout in between.
      const options = { signal, timeout: humanPatience, resetTimeoutOnProgress: true, onprogress: () => {} }
      try {
        const answer = await context.mcpReq.send(question as { method: Wanted; params?: Record<string, unknown> }, options)
        return { outcome: 'answered', answer }
      } catch (error) {
        if (signal.aborted) throw error
        return { outcome: 'refused', reason: error instanceof Error ? error.message : String(error) }
      }
    },

    async later() {
      return undefined
    },

    reportComplete(elicitationId) {
      // The page may outlive the connection: then there is nobody left to tell.
      server.notification({ method: 'notifications/elicitation/complete', params: { elicitationId } }).catch(() => {})
    },
  }
}
