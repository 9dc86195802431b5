import { ConsentryError } from '../errors.ts'
import { isJsonObject, isTooDeep, mostLevels } from '../protocol/json.ts'
import { largestBody } from './contract.ts'

/**
 * Refuses what did not come from our own page, before anybody looks at what it wants.
 *
 * The host must be the address that we listen on, so that a name which another site makes point here (DNS rebinding) opens nothing.
 * A call must say that it comes from our own page; browsers do not let other pages say so.
 *
 * @param authority `127.0.0.1:PORT`
 * @throws ConsentryError `REQUEST_REFUSED`; `data.status` is the HTTP status
 */
export function checkOrigin(request: Request, authority: string): void {
  const { headers, method } = request
  if (headers.get('host') !== authority) throw foreign('This address is not the console of this desk.')
  const origin = headers.get('origin')
  if (origin !== null && origin !== `http://${authority}`) throw foreign('This request comes from another page.')
  if (method === 'GET') {
    if (!comesFromHere(headers)) throw foreign('This request comes from another page.')
    return
  }
  if (method !== 'POST') throw refused(405, 'The console knows GET and POST only.')
  if (origin === null) throw foreign('A call has to come from the console itself.')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw foreign('This request comes from another page.')
}

/** A page may be opened from anywhere, but only as a page of its own; everything else is for our own page. Browsers that do not say are let through: the cookie and the key decide. */
function comesFromHere(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === null || site === 'same-origin' || site === 'none') return true
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/**
 * Reads the body of a call: a JSON object of a bounded size, and nothing that a plain HTML form could send.
 *
 * @throws ConsentryError `REQUEST_REFUSED` for another type or size, `USAGE` for what is no JSON object
 */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(type)) throw refused(415, 'A call has to be application/json.')
  if (Number(request.headers.get('content-length') ?? 0) > largestBody) throw tooLarge()
  return parseObject(await readBytes(request.body))
}

async function readBytes(body: Request['body']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > largestBody) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ConsentryError) throw error
    throw refused(400, 'The call ended before all of it was there.')
  }
  return Buffer.concat(chunks)
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isJsonObject(value) && !isTooDeep(value)) return value
  } catch {
    // Told below, without a word of what was sent.
  }
  throw new ConsentryError('USAGE', `A call has to be a JSON object, nested at most ${mostLevels} levels deep.`)
}

/** Nobody but an attacker, or a person who came by another address, gets to see it: the person is told the way. */
function foreign(message: string): ConsentryError {
  return refused(403, `${message} Run "consentry up" in a terminal: it opens the console.`)
}

function tooLarge(): ConsentryError {
  return refused(413, `A call has to be smaller than ${largestBody / 1024 / 1024} MB.`)
}

function refused(status: number, message: string): ConsentryError {
  return new ConsentryError('REQUEST_REFUSED', message, { data: { status } })
}
