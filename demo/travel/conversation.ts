import type {
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitResult,
  InputRequest,
  InputRequiredResult,
  ListRootsResult,
} from '@modelcontextprotocol/server'

/** What the client answers, by what it was asked. */
export interface Answers {
  readonly 'roots/list': ListRootsResult
  readonly 'elicitation/create': ElicitResult
  readonly 'sampling/createMessage': CreateMessageResult | CreateMessageResultWithTools
}

export type Method = keyof Answers

export type Question<Asked extends Method> = Extract<InputRequest, { readonly method: Asked }>

/** What a tool remembers from one round of its call to the next. */
export type Memory = Readonly<Record<string, string>>

/** How asking ended. */
export type Asked<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  /** The client answered with an error: somebody said no, or nobody could answer. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Nobody answered yet: the tool ends here with `result`, which is the question itself, and is called again with the answer. */
  | { readonly outcome: 'pending'; readonly result: InputRequiredResult }

/**
 * One tool call, seen as a conversation with whoever called. The tools are written once for both eras:
 * before 2026 `ask` sends a request of its own and waits for the answer; from 2026-07-28 on the tool's result
 * is the question, and the client calls again with the answer.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export interface Conversation {
  readonly era: 'legacy' | 'modern'
  readonly signal: AbortSignal
  /** What was remembered in the round before; undefined in the first one, and in the legacy era. */
  readonly memory: Memory | undefined
  ask<Wanted extends Method>(key: string, question: Question<Wanted>, remember?: Memory): Promise<Asked<Answers[Wanted]>>
  /** Modern era: a result that says "call me again later". Undefined in the legacy era, where a call has but one result. */
  later(remember: Memory): Promise<InputRequiredResult | undefined>
  /** Legacy era: tells the client that what a URL stood for is done. The modern era has no such message. */
  reportComplete(elicitationId: string): void
}
