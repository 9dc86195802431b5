import { ConsentryError } from '../errors.ts'
import { exactly } from '../policy/index.ts'
import { SecretVariables } from './secret-variables.ts'
import { lastUserText, parseSamplingRequest } from '../sampling/index.ts'
import { isJsonObject, type ConnectionOrigin, type Desk, type DeskSession, type InputRequest, type InputResponse, type JsonObject } from '../protocol/index.ts'

export interface RecordOptions {
  /** Writes the whole answers file; called once after each answer, never twice at a time. */
  readonly write: (text: string) => Promise<void>
  /** The path of a root's URI, for `grant`. */
  readonly pathOf: (uri: string) => string
  /** Told once, when the file cannot be written: the questions go on. */
  readonly onFault?: ((error: ConsentryError) => void) | undefined
}

interface RecordNeeds {
  readonly pathOf: RecordOptions['pathOf']
  readonly variables: SecretVariables
}

interface RecordedEntry {
  readonly when: JsonObject
  readonly then: JsonObject
  readonly times: 1
}

/**
 * A desk that also writes every answer down, as an answers file that gives the same answers again.
 * Fields marked as secret are written as `"${NAME}"`, to be filled from the environment.
 */
export class RecordingDesk implements Desk {
  readonly #desk: Desk
  readonly #options: RecordOptions
  readonly #entries: RecordedEntry[] = []
  readonly #variables = new SecretVariables()
  #writing: Promise<void> = Promise.resolve()
  #isFaulty = false

  constructor(desk: Desk, options: RecordOptions) {
    this.#desk = desk
    this.#options = options
  }

  open(origin: ConnectionOrigin): DeskSession {
    const session = this.#desk.open(origin)
    return {
      origin,
      known: session.known,
      capabilities: () => session.capabilities(),
      answer: async (request, signal) => {
        const response = await session.answer(request, signal)
        this.#record(origin, request, response)
        return response
      },
      refused: (request, error) => session.refused?.(request, error),
      reportClient: (kind, how) => session.reportClient?.(kind, how),
      get takenOver() {
        return session.takenOver
      },
      get wantsTraffic() {
        return session.wantsTraffic
      },
      heard: (heard) => session.heard?.(heard) ?? false,
      complete: (id) => session.complete(id),
      awaitCompletion: (wait, signal) => session.awaitCompletion(wait, signal),
      on: (event, listener) => session.on(event, listener),
      close: () => session.close(),
    }
  }

  /** Also waits until what was recorded is written. */
  async close(): Promise<void> {
    await this.#desk.close()
    await this.#writing
  }

  #record({ server }: ConnectionOrigin, request: InputRequest, response: InputResponse): void {
    const then = thenOf(request, response, { pathOf: this.#options.pathOf, variables: this.#variables })
    if (then === undefined) return
    this.#entries.push({ when: { request: request.kind, server: exactly(server.name), ...matcherOf(request) }, then, times: 1 })
    this.#writing = this.#writing.then(() => this.#write())
  }

  async #write(): Promise<void> {
    try {
      await this.#options.write(`${JSON.stringify({ answers: this.#entries }, null, 2)}\n`)
    } catch (cause) {
      if (this.#isFaulty) return
      this.#isFaulty = true
      this.#options.onFault?.(new ConsentryError('ANSWERS_FILE_INVALID', 'The answers of this run cannot be recorded.', { cause }))
    }
  }
}

/** The question that was answered, word for word. */
function matcherOf({ kind, params, revision }: InputRequest): JsonObject {
  if (!isJsonObject(params)) return {}
  if (kind === 'elicitation')
    return { mode: params['mode'] === 'url' ? 'url' : 'form', ...(typeof params['message'] === 'string' && { message: exactly(params['message']) }) }
  const message = kind === 'sampling' ? lastUserText(parseSamplingRequest(params, { tools: true, revision })) : undefined
  return message === undefined ? {} : { message: exactly(message) }
}

/** What the answers file would have to say; undefined where nobody decided, or closed a question for which a file knows no cancel. */
function thenOf({ kind }: InputRequest, response: InputResponse, { pathOf, variables }: RecordNeeds): JsonObject | undefined {
  if (response.outcome === 'withdrawn' || response.by === 'none') return undefined
  if (response.outcome === 'refused') return kind === 'sampling' && response.error.code === 'SAMPLING_DENIED' ? { action: 'deny' } : undefined
  const { result, by, facts } = response
  switch (kind) {
    case 'elicitation':
      return { action: result['action'], ...(isJsonObject(result['content']) && { content: variables.mask(result['content'], facts?.['secretFields']) }) }
    case 'sampling':
      return {
        action: 'approve',
        content: result['content'],
        model: result['model'],
        ...(result['stopReason'] !== undefined && { stopReason: result['stopReason'] }),
      }
    case 'roots': {
      if (facts?.['decision'] === 'cancel') return undefined
      const roots = Array.isArray(result['roots'])
        ? result['roots'].flatMap((root: unknown) => (isJsonObject(root) && typeof root['uri'] === 'string' ? [pathOf(root['uri'])] : []))
        : []
      if (by === 'rule') return { action: 'grant' }
      return roots.length > 0 ? { action: 'grant', roots } : { action: 'deny' }
    }
    default:
      return kind satisfies never
  }
}
