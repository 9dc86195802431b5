import { ConsentryError } from '../errors.ts'
import { wireCodes, type WireError } from '../mcp/wire-error.ts'
import { idKey, isWireId, readMessage, type RequestMessage, type ResponseMessage, type WireId } from '../mcp/wire-message.ts'
import { eraOf, isAtLeast, isJsonObject, isRevision, latestRevision, type Era, type JsonObject, type Revision } from '../protocol/index.ts'
import { runScript, type ClientAnswer, type Script, type ScriptedEnd, type ScriptedQuestion, type ScriptedTool } from './script.ts'
import { OpenCall, type CallLine } from './scripted-call.ts'
import type { ServerRecord } from './server-record.ts'

/** What a scripted server is, for each of its connections. */
export interface ServerPlan {
  readonly name: string
  readonly era: Era | 'both'
  /** The newest revision of the legacy era that it speaks. */
  readonly revision: Revision
  readonly instructions?: string | undefined
  /** Default: those of what there is. */
  readonly capabilities?: JsonObject | undefined
  readonly tools: ReadonlyMap<string, ScriptedTool>
  readonly prompts: ReadonlyMap<string, Script>
  readonly resources: ReadonlyMap<string, Script>
}

const prefix = 'io.modelcontextprotocol/'

/** What the modern era wants to know of everything that could be kept. */
const uncached = { ttlMs: 0, cacheScope: 'private' } as const

/** How text becomes the result of each kind of call. */
const wrapText: Readonly<Record<string, (text: string, name: string) => JsonObject>> = {
  'tools/call': (text) => ({ content: [{ type: 'text', text }] }),
  'prompts/get': (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
  'resources/read': (text, uri) => ({ contents: [{ uri, mimeType: 'text/plain', text }] }),
}

/** One connection of a scripted server: reads what the client says, runs the scripts, keeps what waits. */
export class ScriptedConnection {
  readonly #plan: ServerPlan
  readonly #record: ServerRecord
  readonly #send: (message: JsonObject) => void
  readonly #calls = new Map<string, OpenCall>()
  readonly #parked = new Map<string, { readonly call: OpenCall; readonly asked: string }>()
  readonly #questions = new Map<string, (answer: ClientAnswer) => void>()
  readonly #end = new AbortController()
  #lastQuestion = 0
  #lastState = 0

  constructor(plan: ServerPlan, record: ServerRecord, send: (message: JsonObject) => void) {
    this.#plan = plan
    this.#record = record
    this.#send = send
  }

  receive(value: unknown): void {
    if (isJsonObject(value)) this.#record.add(value)
    const reading = readMessage(value)
    if (reading.kind === 'request') this.#answer(reading.message)
    else if (reading.kind === 'response') this.#settle(reading.message)
    else if (reading.kind === 'notification') this.#hear(reading.message.method, reading.message.params ?? {})
    else if (reading.of === 'request' && reading.id !== undefined) this.#fail(reading.id, { code: wireCodes.invalidRequest, message: reading.why })
  }

  /** Asks outside any call. Only the legacy era knows this. */
  async ask(question: ScriptedQuestion): Promise<ClientAnswer> {
    const answer = await this.#ask(question, this.#end.signal)
    this.#record.answers.push({ question, answer, era: 'legacy' })
    return answer
  }

  notify(method: string, params?: JsonObject): void {
    this.#send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  /** Ends everything that waits. Safe to call twice. */
  close(): void {
    const lost = new ConsentryError('CONNECTION_LOST', 'The client is gone.')
    this.#end.abort(lost)
    for (const call of [...this.#calls.values(), ...[...this.#parked.values()].map(({ call }) => call)]) call.cancel(lost)
    this.#calls.clear()
    this.#parked.clear()
  }

  #answer({ id, method, params = {} }: RequestMessage): void {
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    const revision = meta[`${prefix}protocolVersion`] ?? (method === 'initialize' ? params['protocolVersion'] : undefined)
    const isModern = this.#plan.era === 'modern' || (this.#plan.era === 'both' && meta[`${prefix}protocolVersion`] !== undefined)
    if (isModern && revision === undefined) return this.#fail(id, { code: wireCodes.invalidParams, message: `_meta lacks ${prefix}protocolVersion` })
    if (isModern && revision !== latestRevision) {
      const data = { supported: [latestRevision], requested: revision }
      return this.#fail(id, { code: wireCodes.unsupportedRevision, message: 'Unsupported protocol version', data })
    }
    const result = this.#describe(method, params, isModern)
    if (result !== undefined) return this.#send({ jsonrpc: '2.0', id, result })
    return this.#call(id, method, params, isModern ? 'modern' : 'legacy')
  }

  /** What can be answered without any script. */
  #describe(method: string, params: JsonObject, isModern: boolean): JsonObject | undefined {
    const { name, instructions, tools, prompts, resources, revision } = this.#plan
    const serverInfo = { name, version: '1.0.0' }
    const complete = isModern ? { resultType: 'complete', ...uncached, _meta: { [`${prefix}serverInfo`]: serverInfo } } : {}
    const capabilities = { ...(tools.size > 0 && { tools: {} }), ...(prompts.size > 0 && { prompts: {} }), ...(resources.size > 0 && { resources: {} }) }
    const about = { capabilities: this.#plan.capabilities ?? capabilities, ...(instructions !== undefined && { instructions }) }

    if (method === 'server/discover' && isModern) return { ...complete, supportedVersions: [latestRevision], ...about }
    if (method === 'initialize' && !isModern) return { protocolVersion: agreeOn(params['protocolVersion'], revision), serverInfo, ...about }
    if (method === 'ping' && !isModern) return {}
    if (method === 'tools/list') return { ...complete, tools: [...tools].map(describeTool) }
    if (method === 'prompts/list') return { ...complete, prompts: [...prompts.keys()].map((prompt) => ({ name: prompt })) }
    if (method === 'resources/list') return { ...complete, resources: [...resources.keys()].map((uri) => ({ uri, name: uri })) }
    return undefined
  }

  #call(id: WireId, method: string, params: JsonObject, era: Era): void {
    const { tools, prompts, resources } = this.#plan
    if (!Object.hasOwn(wrapText, method)) return this.#fail(id, { code: wireCodes.methodNotFound, message: `Method not found: ${method}` })
    if (params['requestState'] !== undefined) return this.#resume(id, method, params)

    const asked = params[method === 'resources/read' ? 'uri' : 'name']
    const name = typeof asked === 'string' ? asked : ''
    const script = method === 'tools/call' ? tools.get(name)?.run : (method === 'prompts/get' ? prompts : resources).get(name)
    if (script === undefined) return this.#fail(id, { code: wireCodes.invalidParams, message: `There is no ${name} here` })

    const call: OpenCall = new OpenCall(this.#lineFor(era, method), id, name, params)
    this.#calls.set(idKey(id), call)
    void this.#run(script, call, method)
  }

  async #run(script: Script, call: OpenCall, method: string): Promise<void> {
    const end = await runScript(script, call).catch((fault: unknown): ScriptedEnd => {
      if (!call.signal.aborted) this.#record.faults.push(fault)
      return { error: { code: wireCodes.internal, message: `The script failed: ${fault instanceof Error ? fault.message : String(fault)}` } }
    })
    // Who cancelled a call wants no answer to it.
    if (call.signal.aborted || !this.#calls.delete(idKey(call.id))) return
    if (typeof end === 'object' && 'error' in end) return this.#fail(call.id, end.error)
    const result = typeof end === 'string' ? wrapText[method]!(end, call.name) : end.result
    const complete = { resultType: 'complete', ...(method === 'resources/read' && uncached) }
    this.#send({ jsonrpc: '2.0', id: call.id, result: call.era === 'modern' ? { ...complete, ...result } : result })
  }

  #resume(id: WireId, method: string, params: JsonObject): void {
    const state = params['requestState']
    const parked = typeof state === 'string' ? this.#parked.get(state) : undefined
    if (parked === undefined || parked.asked !== signOf(method, params)) {
      return this.#fail(id, { code: wireCodes.invalidParams, message: 'Invalid or expired requestState' })
    }
    this.#parked.delete(state as string)
    this.#calls.set(idKey(id), parked.call)
    return parked.call.resume(id, params)
  }

  #lineFor(era: Era, method: string): CallLine {
    return {
      era,
      ask: (question, signal) => this.#ask(question, signal),
      reply: (id, result) => {
        this.#calls.delete(idKey(id))
        this.#send({ jsonrpc: '2.0', id, result })
      },
      notify: (name, params) => this.notify(name, params),
      park: (call) => {
        this.#lastState += 1
        const state = `state-${this.#lastState}`
        this.#parked.set(state, { call, asked: signOf(method, call.params) })
        return state
      },
      record: (question, answer, during) => void this.#record.answers.push({ question, answer, era, during }),
    }
  }

  #ask({ method, params }: ScriptedQuestion, over: AbortSignal): Promise<ClientAnswer> {
    // One for each question, so that Node does not take a burst for a leak.
    const signal = AbortSignal.any([over])
    this.#lastQuestion += 1
    const id = this.#lastQuestion
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#questions.delete(idKey(id))
        if (!this.#end.signal.aborted) this.notify('notifications/cancelled', { requestId: id, reason: 'the call is over' })
        reject(signal.reason as Error)
      }
      if (signal.aborted) return reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      this.#questions.set(idKey(id), (answer) => {
        signal.removeEventListener('abort', stop)
        resolve(answer)
      })
      return this.#send({ jsonrpc: '2.0', id, method, ...(params && { params }) })
    })
  }

  #settle(response: ResponseMessage): void {
    const settle = this.#questions.get(idKey(response.id))
    this.#questions.delete(idKey(response.id))
    settle?.('error' in response ? { error: response.error } : { result: response.result })
  }

  #hear(method: string, params: JsonObject): void {
    const id = params['requestId']
    if (method !== 'notifications/cancelled' || !isWireId(id)) return
    const call = this.#calls.get(idKey(id))
    this.#calls.delete(idKey(id))
    call?.cancel(new ConsentryError('CALL_CANCELLED', 'The client cancelled the call.'))
  }

  #fail(id: WireId, error: WireError): void {
    this.#send({ jsonrpc: '2.0', id, error: error as unknown as JsonObject })
  }
}

function describeTool([name, { description, inputSchema = { type: 'object' } }]: readonly [string, ScriptedTool]): JsonObject {
  return { name, inputSchema, ...(description !== undefined && { description }) }
}

/** The asked revision, if it is known here and of the era that negotiates; else the newest that is. */
function agreeOn(asked: unknown, newest: Revision): Revision {
  return isRevision(asked) && eraOf(asked) === 'legacy' && isAtLeast(newest, asked) ? asked : newest
}

/** A retry is the same call again: whatever differs beside these is a client's mistake, and should be found out. */
function signOf(method: string, params: JsonObject): string {
  const { _meta, inputResponses: _responses, requestState: _state, ...same } = params
  return JSON.stringify([method, same])
}
