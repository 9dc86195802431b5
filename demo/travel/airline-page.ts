import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageHeaders, renderConnected, renderNotice, renderQuestion } from './airline-page-html.ts'

export interface AirlinePageOptions {
  readonly airline: string
  /** Milliseconds. */
  readonly lifetime: number
  /** Told once, when the page is gone: because somebody pressed the button, or because nobody did. */
  readonly onEnd: (outcome: 'connected' | 'closed') => void
}

/**
 * A page on 127.0.0.1 with one button. It is there for one question only: its address cannot be guessed, the button
 * works from the page itself and from nowhere else, and nothing listens any more once it was pressed, or the time is over.
 */
export class AirlinePage {
  readonly id: string = randomBytes(16).toString('base64url')
  readonly closesAt: number
  /** A person agreed to visit the page. */
  consented = false

  readonly #options: AirlinePageOptions
  readonly #path = `/connect/${randomBytes(32).toString('base64url')}`
  readonly #token = randomBytes(32).toString('base64url')
  readonly #server: Server
  readonly #timer: NodeJS.Timeout
  readonly #end = new AbortController()
  #origin = ''
  #connected = false

  private constructor(options: AirlinePageOptions) {
    this.#options = options
    this.#server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    this.closesAt = Date.now() + options.lifetime
    this.#timer = setTimeout(() => this.close(), options.lifetime).unref()
  }

  /** Starts to listen, on a port that the system picks. Whoever opens it calls `close`. */
  static async open(options: AirlinePageOptions): Promise<AirlinePage> {
    const page = new AirlinePage(options)
    page.#server.unref()
    await new Promise<void>((done, fail) => page.#server.once('error', fail).listen(0, '127.0.0.1', done))
    page.#origin = `http://127.0.0.1:${(page.#server.address() as AddressInfo).port}`
    return page
  }

  get closed(): boolean {
    return this.#end.signal.aborted
  }

  get url(): string {
    return `${this.#origin}${this.#path}`
  }

  /** Waits for the button. False: it was not pressed within `patience` milliseconds, or the page was closed, or nobody waits any more. */
  async waitForButton(patience: number, signal: AbortSignal): Promise<boolean> {
    const enough = AbortSignal.any([this.#end.signal, AbortSignal.timeout(patience), signal])
    if (!enough.aborted) await new Promise((done) => enough.addEventListener('abort', done, { once: true }))
    return this.#connected
  }

  /** @returns the function that undoes it */
  onConnected(listener: () => void): () => void {
    const tell = (): void => void (this.#connected && listener())
    this.#end.signal.addEventListener('abort', tell, { once: true })
    return () => this.#end.signal.removeEventListener('abort', tell)
  }

  /** Stops listening. Safe to call twice. */
  close(): void {
    if (this.#end.signal.aborted) return
    clearTimeout(this.#timer)
    this.#server.close()
    // The answer to the button is still on its way to the browser.
    if (!this.#connected) this.#server.closeAllConnections()
    this.#end.abort()
    this.#options.onEnd(this.#connected ? 'connected' : 'closed')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { airline } = this.#options
    // A name that somebody else's server gave to 127.0.0.1 is not ours.
    if (`http://${request.headers.host}` !== this.#origin || request.url !== this.#path) return send(response, 404, renderNotice('There is nothing here.'))
    if (request.method === 'GET' || request.method === 'HEAD') return send(response, 200, renderQuestion(airline, this.#token))
    if (request.method !== 'POST') return send(response, 405, renderNotice('This page has one button, and nothing else.'))
    if (!(await this.#isOurButton(request))) return send(response, 403, renderNotice('Please press the button on the page itself.'))

    this.#connected = true
    send(response, 200, renderConnected(airline))
    this.close()
  }

  async #isOurButton(request: IncomingMessage): Promise<boolean> {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
    if (origin !== undefined && origin !== this.#origin) return false
    if (site !== 'same-origin') return false
    const given = Buffer.from(new URLSearchParams(await readBody(request)).get('token') ?? '')
    const wanted = Buffer.from(this.#token)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
}

/** The form is a hundred bytes long: more than a few kilobytes come from somewhere else. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > 4096) return ''
      chunks.push(chunk)
    }
  } catch {
    return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, pageHeaders).end(html)
}
