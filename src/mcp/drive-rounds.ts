import { ConsentryError } from '../errors.ts'
import { inputMethods, isInputMethod, isJsonObject, type InputMethod, type InputResponse, type JsonObject } from '../protocol/index.ts'
import { inLanes } from './in-lanes.ts'
import { toWireError } from './wire-error.ts'

export interface RoundsNeeds {
  /** Sends the call with these members added to its parameters, under a new id. */
  readonly send: (retry: JsonObject) => Promise<JsonObject>
  /** Whether the server was promised that this can be answered. */
  readonly mayAsk: (method: InputMethod, params: unknown) => boolean
  readonly answer: (key: string, method: InputMethod, params: unknown, signal: AbortSignal) => Promise<InputResponse>
  /** How often the folders that may be told have changed. */
  readonly folderChanges: () => number
  /** Starts the person's clock. @returns the function that stops it */
  readonly pause: () => () => void
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
}

type Question = readonly [key: string, entry: unknown]

type Step =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'input-required'; readonly questions: readonly Question[]; readonly state: string | undefined }

const mostRounds = 10
/** How long to wait before a round that only carries a state, in ms. */
const paces = [1000, 2000, 4000, 8000, 15_000]
const questionsAtOnce = 16

/**
 * Makes a call of the 2026-07-28 revision, and as many rounds of questions as the server wants.
 *
 * All questions of a round are answered before it goes back, once, with the state exactly as it came. A question that can have no answer ends the call;
 * where that is plain from the start, nobody is asked the others.
 *
 * @throws ConsentryError `INPUT_REFUSED` naming the question, `TOO_MANY_ROUNDS`, `PROTOCOL_VIOLATION`
 * @see MCP 2026-07-28 basic/patterns/mrtr "Client Requirements (Basic Workflow)"
 */
export async function driveRounds(needs: RoundsNeeds): Promise<JsonObject> {
  let retry: JsonObject = {}
  let waits = 0
  for (let rounds = 0; ;) {
    const step = readStep(await needs.send(retry))
    if (step.kind === 'complete') return step.result
    const state = step.state === undefined ? {} : { requestState: step.state }
    const resume = needs.pause()
    try {
      if (step.questions.length === 0) {
        await needs.sleep(paces[waits] ?? paces.at(-1)!)
        waits += 1
        retry = state
      } else {
        rounds += 1
        if (rounds > mostRounds) throw new ConsentryError('TOO_MANY_ROUNDS', `The server asked again and again, more than ${mostRounds} times for one call`)
        waits = 0
        retry = { inputResponses: await answerAll(step.questions, needs), ...state }
      }
    } finally {
      resume()
    }
  }
}

/** Reads what a server answered to a call that may ask. @throws ConsentryError `PROTOCOL_VIOLATION` */
export function readStep(answer: JsonObject): Step {
  const { resultType = 'complete', ...result } = answer
  if (resultType === 'complete') return { kind: 'complete', result }
  if (resultType !== 'input_required') throw violation(`a result of the unknown type ${JSON.stringify(resultType)?.slice(0, 100)}`)
  const { inputRequests = null, requestState = null } = result
  if (inputRequests !== null && !isJsonObject(inputRequests)) throw violation('inputRequests that are no object')
  if (requestState !== null && typeof requestState !== 'string') throw violation('a requestState that is no text')
  const questions = Object.entries(inputRequests ?? {})
  if (questions.length === 0 && requestState === null) throw violation('input_required with neither questions nor a state')
  return { kind: 'input-required', questions, state: requestState ?? undefined }
}

async function answerAll(questions: readonly Question[], { mayAsk, answer, folderChanges, signal }: RoundsNeeds): Promise<JsonObject> {
  const siblings = new AbortController()
  const either = AbortSignal.any([signal, siblings.signal])
  const results = new Map<string, JsonObject>()
  let refusal: ConsentryError | undefined
  const hopeless = questions.find(([, entry]) => !isAllowed(entry, mayAsk))
  const answerEach = async ([key, entry]: Question): Promise<void> => {
    if (either.aborted) return
    // A signal of its own, so that none has more listeners than Node holds for sound.
    const response = await answerOne(key, entry, answer, AbortSignal.any([either]))
    if (response.outcome === 'answered') results.set(key, response.result)
    else if (!either.aborted) {
      refusal = inputRefused(key, entry, response)
      siblings.abort(refusal)
    }
  }
  let change = folderChanges()
  await inLanes(hopeless ? [hopeless] : questions, questionsAtOnce, answerEach)
  // Folders that were taken back while somebody answered the rest are not told as they were.
  for (let again = 0; again < mostRounds && change !== folderChanges(); again += 1) {
    change = folderChanges()
    await inLanes(questions.filter(asksForFolders), questionsAtOnce, answerEach)
  }
  if (refusal) throw refusal
  signal.throwIfAborted()
  // Keys are the server's: data, that no prototype may get between.
  const inputResponses = Object.create(null) as Record<string, JsonObject>
  for (const [key] of questions) inputResponses[key] = results.get(key)!
  return inputResponses
}

function asksForFolders([, entry]: Question): boolean {
  return isJsonObject(entry) && entry['method'] === 'roots/list'
}

function isAllowed(entry: unknown, mayAsk: RoundsNeeds['mayAsk']): boolean {
  const { method, params } = isJsonObject(entry) ? entry : {}
  return isInputMethod(method) && mayAsk(method, params)
}

async function answerOne(key: string, entry: unknown, answer: RoundsNeeds['answer'], signal: AbortSignal): Promise<InputResponse> {
  const { method, params } = isJsonObject(entry) ? entry : {}
  if (isInputMethod(method)) return answer(key, method, params, signal)
  return {
    outcome: 'refused',
    by: 'none',
    error: new ConsentryError('FEATURE_NOT_DECLARED', `Method not found: ${JSON.stringify(method)?.slice(0, 100) ?? 'none'}`),
  }
}

function inputRefused(key: string, entry: unknown, response: Exclude<InputResponse, { readonly outcome: 'answered' }>): ConsentryError {
  const method = isJsonObject(entry) ? entry['method'] : undefined
  const cause = response.outcome === 'refused' ? response.error : new ConsentryError('NO_ONE_TO_ASK', `The question was withdrawn here: ${response.reason}`)
  const request = isInputMethod(method) ? inputMethods[method] : undefined
  return new ConsentryError(
    'INPUT_REFUSED',
    `The server's question ${JSON.stringify(key.slice(0, 100))} cannot be answered, so that the call ends: ${cause.message}`,
    {
      cause,
      data: { key, ...(request && { request }), cause: cause.code, error: toWireError(cause) },
    },
  )
}

function violation(what: string): ConsentryError {
  return new ConsentryError('PROTOCOL_VIOLATION', `The server broke the protocol: it answered with ${what}`)
}
