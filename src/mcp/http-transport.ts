import { SdkHttpError, StreamableHTTPClientTransport, type AuthProvider, type JSONRPCMessage, type TransportSendOptions } from '@modelcontextprotocol/client'
import { patientFetch } from './patient-fetch.ts'

export interface HttpTransportOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Gets a token, where the server wants one. */
  readonly access?: AuthProvider | undefined
}

const goodbyeMs = 1000

/**
 * Speaks with a server over Streamable HTTP, for as long as people need.
 *
 * A session that the server has forgotten, or a server that is gone, ends the connection, so that whoever holds it can make a new one.
 * @see MCP 2025-11-25 basic/transports "Session Management"
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Resolved when the server has answered our standing question for its messages, or is never going to be asked. */
  readonly listening: Promise<void>
  #closing: Promise<void> | undefined
  #isForgotten = false

  constructor({ url, headers = {}, access }: HttpTransportOptions) {
    let announce = (): void => {}
    const listening = new Promise<void>((resolve) => {
      announce = resolve
    })
    const fetch = async (target: string | URL, init?: RequestInit): Promise<Response> => {
      const isStream = init?.method === 'GET'
      try {
        const response = await patientFetch(target, init)
        if (isStream || (isHandshakeEnd(init?.body) && response.status !== 202)) announce()
        return response
      } catch (error) {
        if (isStream) announce()
        throw error
      }
    }
    super(new URL(url), { requestInit: { headers: { ...headers } }, fetch, ...(access && { authProvider: access }) })
    this.listening = listening
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    try {
      await super.send(message, options as Parameters<StreamableHTTPClientTransport['send']>[1])
    } catch (error) {
      this.#isForgotten ||= error instanceof SdkHttpError && error.status === 404 && this.sessionId !== undefined
      if (!options?.requestSignal?.aborted && this.#isLost(error)) void this.close()
      throw error
    }
  }

  /** Ends the server's session too, where it keeps one; a server that does not answer is not waited for. Safe to call twice. */
  override close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, goodbyeMs)
    })
    await Promise.race([this.terminateSession().catch(() => {}), enough])
    clearTimeout(timer)
    await super.close()
  }

  /** The server knows this session no more; what was sent when that came out had no effect. */
  get isForgotten(): boolean {
    return this.#isForgotten
  }

  #isLost(error: unknown): boolean {
    if (error instanceof SdkHttpError) return this.#isForgotten
    return (
      error instanceof Error &&
      'code' in error &&
      ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT'].includes(String(error.code))
    )
  }
}

function isHandshakeEnd(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"notifications/initialized"')
}
