import type { AnswerCapabilities, DeskSession } from '../protocol/index.ts'

export interface LazySessionOptions {
  /** What can be answered before the session is opened: nothing else may be promised until then. */
  readonly before: () => AnswerCapabilities
  /** @param client what the client calls itself */
  readonly open: (client: string | undefined) => Promise<DeskSession>
}

/** The desk's session for this connection, opened when it is first needed: most connections never ask anything, and a desk costs more than a relay. */
export class LazySession {
  readonly #options: LazySessionOptions
  readonly #whenOpen: ((session: DeskSession) => void)[] = []
  #opening: Promise<DeskSession> | undefined
  #session: DeskSession | undefined
  #isClosed = false
  /** Set as soon as the client has introduced itself. */
  client: string | undefined

  constructor(options: LazySessionOptions) {
    this.#options = options
  }

  /** What can be answered at this moment. */
  capabilities(): AnswerCapabilities {
    return this.#session?.capabilities() ?? this.#options.before()
  }

  /** @throws whatever keeps the desk from being opened; the next question tries again */
  open(): Promise<DeskSession> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** The session, if there is one already. */
  get current(): DeskSession | undefined {
    return this.#session
  }

  /** Runs at once when the session is opened, or now where it is. */
  whenOpen(callback: (session: DeskSession) => void): void {
    if (this.#session) return callback(this.#session)
    this.#whenOpen.push(callback)
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true
    this.#session?.close()
  }

  async #open(): Promise<DeskSession> {
    try {
      const session = await this.#options.open(this.client)
      this.#session = session
      if (this.#isClosed) session.close()
      else for (const callback of this.#whenOpen) callback(session)
      return session
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}
