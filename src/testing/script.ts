import type { WireError } from '../mcp/wire-error.ts'
import type { Era, InputMethod, JsonObject } from '../protocol/index.ts'

/** One question of a scripted server, sent exactly as it stands here, valid or not. */
export interface ScriptedQuestion {
  readonly method: InputMethod
  readonly params?: JsonObject | undefined
}

/** What a client said to a question. In the modern era there are no errors: a client that cannot answer does not come back. */
export type ClientAnswer = { readonly result: JsonObject } | { readonly error: WireError }

/** What a script ends with: text, a whole result, or a JSON-RPC error. */
export type ScriptedEnd = string | { readonly result: JsonObject } | { readonly error: WireError }

/** One call of a client, from the side of the server that answers it. */
export interface ScriptedCall {
  /** The tool, the prompt, or the URI of the resource. */
  readonly name: string
  readonly input: JsonObject
  /** The request's params as they came; those of the first round. */
  readonly params: JsonObject
  readonly era: Era
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal
  /** Asks, and waits. Legacy: a request of its own. Modern: the call ends with the question, and goes on here when the client calls again. */
  readonly ask: (question: ScriptedQuestion) => Promise<ClientAnswer>
  /** Asks several questions at once, each under a name. */
  readonly askAll: (questions: Readonly<Record<string, ScriptedQuestion>>) => Promise<Readonly<Record<string, ClientAnswer>>>
  /** Modern: one round that only carries state. Legacy: does nothing. */
  readonly pause: () => Promise<void>
  readonly notify: (method: string, params?: JsonObject) => void
  /** Reports progress, if the client gave a token. */
  readonly reportProgress: (progress: number, total?: number) => void
}

/** What a scripted server does when it is called: ask these questions one after the other and answer with what was said, or whatever a function does. */
export type Script = readonly ScriptedQuestion[] | ((call: ScriptedCall) => ScriptedEnd | Promise<ScriptedEnd>)

/** A script with what `tools/list` says about it. */
export interface ScriptedTool {
  readonly run: Script
  readonly description?: string | undefined
  /** Default: any object. */
  readonly inputSchema?: JsonObject | undefined
}

/** Runs a script to its end. */
export async function runScript(script: Script, call: ScriptedCall): Promise<ScriptedEnd> {
  if (typeof script === 'function') return script(call)
  const answers: ClientAnswer[] = []
  for (const question of script) answers.push(await call.ask(question))
  return JSON.stringify(answers)
}
