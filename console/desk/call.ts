import { callPath, keyHeader, openingKey, sessionEndedCode, type CallError, type CallName, type Calls } from '../../src/console-api/contract.ts'
import { keptKey } from './session.ts'

/** A call that the desk refused, or that did not reach it (`DESK_UNREACHABLE`). */
export class CallFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'CallFailure'
    this.code = code
  }

  get isUnreachable(): boolean {
    return this.code === 'DESK_UNREACHABLE'
  }

  /** The desk, or what stands in front of it, takes nothing from this page: trying again alone helps nobody. */
  get isRefusal(): boolean {
    return this.code === 'REQUEST_REFUSED' || this.code.startsWith('HTTP_4')
  }
}

const ended = new EventTarget()

/** @returns the function that undoes it */
export function onSessionEnded(listener: () => void): () => void {
  ended.addEventListener('ended', listener)
  return () => ended.removeEventListener('ended', listener)
}

/** One request to the desk, with the session's key in the header; the browser adds the cookie. */
export function post(name: CallName, body: object, options: Pick<RequestInit, 'signal' | 'keepalive'> = {}): Promise<Response> {
  return fetch(callPath + name, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', [keyHeader]: name === 'session/open' ? openingKey : (keptKey() ?? openingKey) },
    body: JSON.stringify(body),
    ...options,
  })
}

/**
 * Asks the desk for something.
 *
 * @throws CallFailure
 */
export async function call<Name extends CallName>(
  name: Name,
  request: Calls[Name]['request'],
  options: Pick<RequestInit, 'signal' | 'keepalive'> = {},
): Promise<Calls[Name]['answer']> {
  const response = await post(name, request, options).catch((error: unknown) => {
    throw new CallFailure('DESK_UNREACHABLE', String(error))
  })
  if (response.ok) return (await response.json()) as Calls[Name]['answer']
  throw await failureOf(response)
}

/** What a refused call says; tells the page when it is the session that has ended. */
export async function failureOf(response: Response): Promise<CallFailure> {
  const fault = await response.json().then(
    (body) => (body as CallError).error,
    () => undefined,
  )
  if (fault?.code === sessionEndedCode) ended.dispatchEvent(new Event('ended'))
  return new CallFailure(fault?.code ?? `HTTP_${response.status}`, fault?.message ?? response.statusText)
}
