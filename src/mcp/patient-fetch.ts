import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { limitBody, readWhole } from './limit-body.ts'
import { WholeResponse } from './whole-response.ts'

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * `fetch` without the five minutes after which Node's own gives up on a silent stream: a person may think for longer.
 *
 * A body ends with an error where it grows over a limit: see `limitBody`. Follows no redirects and speaks to http and https only; what the SDK's transport needs, and no more.
 */
export async function patientFetch(url: string | URL, init: RequestInit = {}, maxBytes: number = 64 * 1024 * 1024): Promise<Response> {
  const target = typeof url === 'string' ? new URL(url) : url
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method = 'GET', body, signal } = init
    const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers)
    const outgoing = request(target, { method, headers: Object.fromEntries(given), ...(signal && { signal }) })
    outgoing.on('response', resolve).on('error', reject)
    outgoing.end(typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined)
  })
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  const status = incoming.statusCode ?? 0
  // A stream that breaks is told to whoever reads it.
  incoming.on('error', () => {})
  if (withoutBody.has(status)) incoming.resume()
  const about = { status, statusText: incoming.statusMessage ?? '', headers }
  if (withoutBody.has(status)) return new Response(null, about)
  const type = headers.get('content-type')?.trim().toLowerCase() ?? ''
  if (type.startsWith('application/json')) return new WholeResponse(await readWhole(incoming, maxBytes), about)
  return new Response(limitBody(incoming, { maxBytes, isEvents: type.startsWith('text/event-stream') }), about)
}
