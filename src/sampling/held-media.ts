import { fetchBounded } from './bounded-fetch.ts'
import { utf8Length } from './utf8-length.ts'

/** Base64 that is shorter is not worth it. */
const SHORTEST = 64 * 1024

/**
 * Keeps large media out of the hands of a client, which would copy them with each step: it is given a mark in the place of each,
 * and they are put into the bytes of the request when it leaves. So a large image is in memory once as it came, and once as it goes.
 */
export class HeldMedia {
  readonly #held = new Map<string, string>()
  readonly #sign: string = `held-${globalThis.crypto.randomUUID()}-`

  /** @returns what stands for it in the request; a small one stands for itself */
  hold(base64: string): string {
    if (base64.length < SHORTEST) return base64
    const mark = `${this.#sign}${this.#held.size}-`
    this.#held.set(mark, base64)
    return mark
  }

  /** Sends a request with everything that it holds in its place. */
  readonly fetch: typeof fetch = (input, init) => {
    const body = init?.body
    if (this.#held.size === 0 || typeof body !== 'string') return fetchBounded(input, init)
    return fetchBounded(input, { ...init, body: this.#fill(body) })
  }

  /** Base64 is plain ASCII and needs no escape in JSON. */
  #fill(body: string): Uint8Array<ArrayBuffer> {
    const pieces: string[] = []
    let from = 0
    for (const { 0: mark, index } of body.matchAll(new RegExp(`${this.#sign}\\d+-`, 'g'))) {
      pieces.push(body.slice(from, index), this.#held.get(mark) ?? mark)
      from = index + mark.length
    }
    pieces.push(body.slice(from))
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + utf8Length(piece), 0))
    const encoder = new TextEncoder()
    let at = 0
    for (const piece of pieces) at += encoder.encodeInto(piece, bytes.subarray(at)).written
    return bytes
  }
}
