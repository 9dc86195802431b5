import { SecretVariables } from '../desk/secret-variables.ts'
import { ConsentryError } from '../errors.ts'
import { toWireError } from '../mcp/wire-error.ts'
import { isJsonObject, type InputRequest, type InputResponse, type JsonObject } from '../protocol/index.ts'
import { exitCodeOf, exitCodes, type ExitCode } from './exit.ts'
import { explainUnanswered, isUnanswered } from './explain-answer.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'
import { jsonLine } from './write-out.ts'

const advice = 'run in a terminal, or pass --answers FILE with an entry that matches it'

/** One question of the server, as `--json` tells it. */
interface ReportedRequest {
  readonly request: string
  readonly mode?: string
  readonly by: string
  readonly response?: JsonObject
  readonly error?: unknown
  /** Why a model gave no answer: of this user's set-up, so that the server is not told. */
  readonly reason?: string
}

export interface CallReportOptions {
  readonly json: boolean
  /** Whether everything that the server writes to its stderr is shown anyway. */
  readonly verbose: boolean
  readonly place: Place
  readonly server: string
  /** What people read of a result. */
  readonly textOf: (result: JsonObject) => string
}

/** What a call came to: for `--json` one object on stdout, for people the result there and everything else on stderr. */
export class CallReport {
  readonly #json: boolean
  readonly #verbose: boolean
  readonly #place: Place
  readonly #server: string
  readonly #textOf: (result: JsonObject) => string
  readonly #requests: ReportedRequest[] = []
  #protocol: string | null = null
  #outcome: { readonly result: JsonObject } | { readonly error: ConsentryError } | undefined
  readonly #variables = new SecretVariables()
  #isUnanswered = false

  constructor({ json, verbose, place, server, textOf }: CallReportOptions) {
    this.#json = json
    this.#verbose = verbose
    this.#place = place
    this.#server = safeText(server, { maximum: 60 })
    this.#textOf = textOf
  }

  connected(protocol: string): void {
    this.#protocol = protocol
  }

  answered({ kind, params }: InputRequest, response: InputResponse): void {
    if (response.outcome === 'withdrawn') return
    const mode = kind === 'elicitation' ? { mode: isJsonObject(params) && params['mode'] === 'url' ? 'url' : 'form' } : {}
    const ended = response.outcome === 'answered' ? { response: this.#withoutSecrets(response) } : { error: toWireError(response.error) }
    const reason = reasonOf(response)
    this.#requests.push({ request: kind, ...mode, by: response.by, ...ended, ...(reason !== undefined && { reason }) })
    if (reason !== undefined) this.#say(`${this.#server} got no answer of a model: ${reason}`)
    if (isUnanswered(response)) {
      this.#isUnanswered = true
      for (const sentence of explainUnanswered(kind, response, advice)) this.#say(`${this.#server}: ${sentence}`)
    }
  }

  succeeded(result: JsonObject): void {
    this.#outcome = { result }
  }

  failed(error: unknown): void {
    this.#outcome = {
      error: error instanceof ConsentryError ? error : new ConsentryError('INTERNAL', `an error of ours, please report it: ${String(error)}`, { cause: error }),
    }
  }

  /** @returns the exit code of the command */
  print(): ExitCode {
    const code = this.#exitCode()
    if (this.#json && !this.#printJson(code)) return this.#printUnsayable()
    const outcome = this.#outcome
    if (!this.#json && outcome && 'result' in outcome) this.#place.stdout.write(`${this.#textOf(outcome.result)}\n`)
    if (outcome && 'error' in outcome) {
      const { message, data } = outcome.error
      const isCut = typeof data?.['stderr'] === 'string' && !this.#verbose
      this.#say(isCut ? `${message}\n(--verbose shows everything that the server writes to its stderr)` : message)
    }
    return code
  }

  /** @returns false where the result cannot be written: it is nested too deeply */
  #printJson(code: ExitCode): boolean {
    try {
      this.#place.stdout.write(jsonLine({ ok: code === exitCodes.done, protocol: this.#protocol, ...wireOutcome(this.#outcome), requests: this.#requests }))
      return true
    } catch {
      return false
    }
  }

  /** One object comes out in any case. */
  #printUnsayable(): ExitCode {
    const message = 'what the server sent cannot be written as JSON'
    this.#place.stdout.write(jsonLine({ ok: false, protocol: this.#protocol, error: { code: 'PROTOCOL_VIOLATION', message }, requests: [] }))
    this.#say(message)
    return exitCodes.failed
  }

  #exitCode(): ExitCode {
    const outcome = this.#outcome
    if (outcome && 'error' in outcome) {
      const code = exitCodeOf(outcome.error)
      return code === exitCodes.failed && this.#isUnanswered ? exitCodes.unanswered : code
    }
    if (this.#isUnanswered) return exitCodes.unanswered
    return outcome?.result['isError'] === true ? exitCodes.failed : exitCodes.done
  }

  /** What is printed ends in logs: a secret stands there as `--record` writes it. The server has got it as it is. */
  #withoutSecrets({ result, facts }: Extract<InputResponse, { readonly outcome: 'answered' }>): JsonObject {
    const { content } = result
    return isJsonObject(content) ? { ...result, content: this.#variables.mask(content, facts?.['secretFields']) } : result
  }

  #say(sentence: string): void {
    // A server's words may have lines; none of them may look like one of ours.
    this.#place.stderr.write(`consentry: ${safeText(sentence, { lines: true, maximum: 10_000 }).replaceAll('\n', '\n  | ')}\n`)
  }
}

function reasonOf(response: InputResponse): string | undefined {
  if (response.outcome !== 'refused') return undefined
  const { code, message } = response.error
  return code === 'MODEL_FAILED' || code === 'MODEL_UNKNOWN' ? message : undefined
}

function wireOutcome(outcome: { readonly result: JsonObject } | { readonly error: ConsentryError } | undefined): object {
  if (outcome === undefined) return {}
  if ('result' in outcome) return outcome
  const { error } = outcome
  if (error.code === 'SERVER_ERROR') return { error: error.data }
  return { error: { code: error.code, message: error.message, ...(error.data && { data: error.data }) } }
}
