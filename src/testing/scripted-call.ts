import type { ConsentryError } from '../errors.ts'
import type { WireId } from '../mcp/wire-message.ts'
import { isJsonObject, type Era, type JsonObject } from '../protocol/index.ts'
import type { ClientAnswer, ScriptedCall, ScriptedQuestion } from './script.ts'

/** What a call needs of the connection that it came over. */
export interface CallLine {
  readonly era: Era
  /** Legacy: a request of the server's own. */
  ask(question: ScriptedQuestion, signal: AbortSignal): Promise<ClientAnswer>
  reply(id: WireId, result: JsonObject): void
  notify(method: string, params?: JsonObject): void
  /** Modern: keeps the call until the client comes back with this state. @returns the state */
  park(call: OpenCall): string
  record(question: ScriptedQuestion, answer: ClientAnswer, during: string): void
}

/** A call while its script runs: between the rounds of the modern era, too. Its functions can be taken out of it, as scripts do. */
export class OpenCall implements ScriptedCall {
  readonly name: string
  readonly input: JsonObject
  readonly params: JsonObject
  readonly era: Era
  readonly #line: CallLine
  readonly #end = new AbortController()
  /** The request that waits for a response now; a retry has an id of its own. */
  id: WireId
  #goOn: ((params: JsonObject) => void) | undefined

  constructor(line: CallLine, id: WireId, name: string, params: JsonObject) {
    this.#line = line
    this.id = id
    this.name = name
    this.params = params
    this.era = line.era
    this.input = isJsonObject(params['arguments']) ? params['arguments'] : {}
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  readonly ask: ScriptedCall['ask'] = async (question) => {
    return (await this.askAll({ question }))['question']!
  }

  readonly askAll: ScriptedCall['askAll'] = async (questions) => {
    this.signal.throwIfAborted()
    const entries = Object.entries(questions)
    const answers = this.era === 'legacy' ? await this.#askNow(entries) : await this.#askInRounds(entries)
    for (const [key, question] of entries) this.#line.record(question, answers.get(key)!, this.name)
    return Object.fromEntries(answers)
  }

  readonly pause: ScriptedCall['pause'] = async () => {
    if (this.era === 'modern') await this.#nextRound({})
  }

  readonly notify: ScriptedCall['notify'] = (method, params) => {
    this.#line.notify(method, params)
  }

  readonly reportProgress: ScriptedCall['reportProgress'] = (progress, total) => {
    const meta = this.params['_meta']
    const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
    if (progressToken !== undefined) this.notify('notifications/progress', { progressToken, progress, ...(total !== undefined && { total }) })
  }

  /** The client came back. */
  resume(id: WireId, params: JsonObject): void {
    this.id = id
    this.#goOn?.(params)
  }

  /** Ends what the script still waits for. */
  cancel(error: ConsentryError): void {
    this.#end.abort(error)
  }

  async #askNow(entries: readonly (readonly [string, ScriptedQuestion])[]): Promise<ReadonlyMap<string, ClientAnswer>> {
    const answers = entries.map(async ([key, question]) => [key, await this.#line.ask(question, this.signal)] as const)
    return new Map(await Promise.all(answers))
  }

  /** A client that answers only some of the questions is asked the others again. @see MCP 2026-07-28 basic/patterns/mrtr "Error Handling" */
  async #askInRounds(entries: readonly (readonly [string, ScriptedQuestion])[]): Promise<ReadonlyMap<string, ClientAnswer>> {
    const answers = new Map<string, ClientAnswer>()
    while (answers.size < entries.length) {
      const open = entries.filter(([key]) => !answers.has(key))
      const { inputResponses } = await this.#nextRound({ inputRequests: Object.fromEntries(open) as unknown as JsonObject })
      for (const [key] of open) {
        const result = isJsonObject(inputResponses) && Object.hasOwn(inputResponses, key) ? inputResponses[key] : undefined
        if (isJsonObject(result)) answers.set(key, { result })
      }
    }
    return answers
  }

  #nextRound(question: JsonObject): Promise<JsonObject> {
    this.signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(this.signal.reason as Error)
      this.signal.addEventListener('abort', stop, { once: true })
      this.#goOn = (params) => {
        this.signal.removeEventListener('abort', stop)
        resolve(params)
      }
      this.#line.reply(this.id, { resultType: 'input_required', ...question, requestState: this.#line.park(this) })
    })
  }
}
