import type { ConsentryError } from '../errors.ts'
import { modelFailed, type FailureKey } from './model-failure.ts'
import { isWithinStream } from './retry.ts'

/** What an HTTP status of a provider means for whoever has to mend it. */
const advice: Readonly<Record<number, string>> = {
  400: 'did not accept the request',
  401: 'did not accept the key: check "apiKey" of this model in the config',
  402: 'wants to be paid: check the account of this key',
  403: 'did not allow this: check "apiKey" of this model in the config',
  404: 'was not found: check "model" and "baseUrl" in the config',
  413: 'did not accept the request: it is too large',
  422: 'did not accept the request',
  429: 'has no capacity left for this key: wait, or check its limits',
}

/** The same, for whoever reads it in another language. */
const keys: Readonly<Record<number, FailureKey>> = {
  401: 'model-key-refused',
  402: 'model-unpaid',
  403: 'model-key-refused',
  404: 'model-not-found',
  429: 'model-busy',
}

/** A connection that was lost later may have carried the request. */
const neverConnectedCodes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** A certificate that is none, or no secure connection at all: it was not made, and nothing was sent. */
const insecureCodes = /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$)/

/**
 * Says why a provider gave no answer in words of ours. The provider's own words stay in `cause`, capped and without anything that looks like a key:
 * never the request, never its headers.
 */
export function providerFailure(model: string, error: unknown, secret: string | undefined): ConsentryError {
  const cause = new Error(mask(messageOf(error), secret))
  const status = statusOf(error)
  if (status !== undefined && status >= 400) {
    const because = advice[status] ?? (status >= 500 ? 'failed on its side' : 'did not accept the request')
    if (isWithinStream(error as object)) return modelFailed(model, 'broke off its answer with an error', { cause })
    const why = keys[status] ?? (status >= 500 ? 'model-broken' : 'model-refused')
    return modelFailed(model, `${because} (HTTP ${status})`, { cause, spent: 'nothing', why, facts: { status: String(status) } })
  }
  if (status !== undefined) return modelFailed(model, 'answered in a form that cannot be read', { cause })
  if (error instanceof Error && error.name === 'AI_APICallError') {
    const code = codeOf(error.cause)
    const isInsecure = typeof code === 'string' && insecureCodes.test(code)
    if (isInsecure) {
      const because = 'has no secure connection that can be trusted: check "baseUrl" and its certificate'
      return modelFailed(model, because, { cause, spent: 'nothing', why: 'model-insecure' })
    }
    const neverConnected = neverConnectedCodes.has(code)
    const host = hostOf(error)
    const place = host === undefined ? '' : ` at ${host}`
    return modelFailed(model, `could not be reached${place}: is it running, and is "baseUrl" right?`, {
      cause,
      ...(neverConnected && { spent: 'nothing' }),
      ...(host !== undefined && { why: 'model-unreachable', facts: { host } }),
    })
  }
  return modelFailed(model, 'gave no answer', { cause })
}

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : undefined
}

/** Of an address nothing is told but its host and port: the rest of it may hold a key. */
function hostOf(error: object): string | undefined {
  const url = 'url' in error ? error.url : undefined
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host || undefined : undefined
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no further words'
}

function mask(text: string, secret: string | undefined): string {
  const known = secret ? text.replaceAll(secret, '…') : text
  return known.replaceAll(/[\w+/=.-]{16,}/g, '…').slice(0, 300)
}
