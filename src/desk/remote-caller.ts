import { ConsentryError } from '../errors.ts'
import type { ConnectionOrigin, DeskSession, InputResponse } from '../protocol/index.ts'
import { sessionEvents } from '../protocol/desk-session.ts'
import type { RemoteChannel } from './remote-channel.ts'
import { isFeatureKnown, readToDesk, writeError, writeResponse, type FromDesk, type GivenFolder, type ToDesk } from './remote-messages.ts'
import { unansweredResponse } from './unanswered.ts'

export interface CallerNeeds {
  /** Opens a session of the desk. @throws ConsentryError for folders that cannot be told */
  readonly open: (origin: ConnectionOrigin, folders: readonly GivenFolder[]) => DeskSession
  /** Opens the desk's own window. @returns why not */
  readonly show: () => Promise<string | undefined>
  /** Makes room for another desk. @returns why not */
  readonly leave: () => string | undefined
  /** Nothing that it asked waits any more. */
  readonly onIdle: () => void
}

interface OpenQuestion {
  readonly asker: AbortController
  readonly bytes: number
}

const mostSessions = 1000
const mostQuestions = 1000
/** So many bytes of questions are kept for one wrap, whatever their number. */
const mostBytes = 256 * 1024 * 1024

/**
 * One wrap at the desk, after both have proved who they are: its sessions and its questions. What it says is never trusted; what no wrap of ours would
 * say ends the connection, and that withdraws everything that waits for it.
 */
export class RemoteCaller {
  readonly #channel: RemoteChannel
  readonly #needs: CallerNeeds
  /** Also those that are closed: a question that crossed the closing is still answered, as withdrawn. */
  readonly #sessions = new Map<number, DeskSession>()
  readonly #questions = new Map<number, OpenQuestion>()
  #bytes = 0

  constructor(channel: RemoteChannel, needs: CallerNeeds) {
    this.#channel = channel
    this.#needs = needs
    void channel.closed.then((why) => this.#end(why))
    channel.open((message, bytes) => {
      const known = readToDesk(message)
      if (known === undefined || !this.#take(known, bytes)) channel.breakOff('it says what no wrap of ours would say')
    })
  }

  /** Questions that wait here. */
  get size(): number {
    return this.#questions.size
  }

  /** @returns false where this cannot be */
  #take(message: ToDesk, bytes: number): boolean {
    switch (message.type) {
      case 'open':
        return this.#open(message)
      case 'ask':
        return this.#ask(message, bytes)
      case 'wait':
        return this.#wait(message, bytes)
      case 'refused':
        this.#sessions.get(message.session)?.refused?.(message.request, message.error)
        return true
      case 'withdraw':
        // It may have been answered meanwhile.
        this.#questions.get(message.id)?.asker.abort(new Error(message.reason))
        return true
      case 'complete':
        this.#sessions.get(message.session)?.complete(message.elicitationId)
        return true
      case 'client':
        this.#sessions.get(message.session)?.reportClient?.(message.feature, message.how)
        return true
      case 'heard':
        this.#sessions.get(message.session)?.heard?.(message.heard)
        return true
      case 'restarted':
        this.#sessions.get(message.session)?.restarted?.(message.end)
        return true
      case 'close':
        this.#sessions.get(message.session)?.close()
        return true
      case 'show':
        void this.#needs.show().then(
          (why) => this.#say({ type: 'done', why }),
          (error: Error) => this.#say({ type: 'done', why: error.message }),
        )
        return true
      case 'ping':
        this.#say({ type: 'pong' })
        return true
      case 'leave':
        this.#say({ type: 'done', why: this.#needs.leave() })
        return true
      default:
        return message satisfies never
    }
  }

  #open({ session: number, origin, folders }: Extract<ToDesk, { readonly type: 'open' }>): boolean {
    if (this.#sessions.has(number) || this.#sessions.size >= mostSessions) return false
    let session: DeskSession
    try {
      session = this.#needs.open(origin, folders)
    } catch (error) {
      if (error instanceof ConsentryError) return false
      throw error
    }
    this.#sessions.set(number, session)
    // Whoever hears the first ones has heard before whether its client is taken over.
    let isKnown = session.known === undefined
    const sayCapabilities = (): void => {
      if (isKnown) this.#say({ type: 'capabilities', session: number, capabilities: session.capabilities() })
    }
    for (const name of sessionEvents) {
      if (name === 'capabilities-changed') session.on(name, sayCapabilities)
      else if (name === 'take-over-asked' || name === 'take-over-ended')
        session.on(name, (feature) => {
          if (isFeatureKnown(feature, this.#channel.version)) this.#say({ type: 'event', session: number, name, detail: feature })
        })
      else session.on(name, (detail) => this.#say({ type: 'event', session: number, name, detail }))
    }
    if (session.wantsTraffic) this.#say({ type: 'event', session: number, name: 'traffic-wanted', detail: true })
    if (isKnown) sayCapabilities()
    else
      void session.known!.then(() => {
        isKnown = true
        sayCapabilities()
      })
    return true
  }

  #ask({ id, session: number, request }: Extract<ToDesk, { readonly type: 'ask' }>, bytes: number): boolean {
    if (this.#questions.has(id)) return false
    const say = (response: InputResponse): void => {
      if (this.#channel.send({ type: 'answered', id, response: writeResponse(response) })) return
      say({ outcome: 'refused', by: 'none', error: new ConsentryError('INTERNAL', 'The answer is too large to be handed over') })
    }
    const session = this.#sessions.get(number)
    if (session === undefined) say({ outcome: 'withdrawn', reason: 'the connection was closed' })
    else if (this.#isFull(bytes))
      say(unansweredResponse(request.kind, 'too-many-waiting', new ConsentryError('LIMIT_REACHED', 'Too many questions wait already')))
    else
      void this.#follow(id, bytes, (signal) => session.answer(request, signal)).then(say, (cause: unknown) =>
        say({ outcome: 'refused', by: 'none', error: new ConsentryError('INTERNAL', 'The question could not be answered: an error of ours.', { cause }) }),
      )
    return true
  }

  #wait({ id, session: number, wait }: Extract<ToDesk, { readonly type: 'wait' }>, bytes: number): boolean {
    if (this.#questions.has(id)) return false
    const say = (outcome: string | object): void => void this.#channel.send({ type: 'waited', id, outcome })
    const session = this.#sessions.get(number)
    if (session === undefined || this.#isFull(bytes)) say(wait.goesOn ? 'continued' : 'cancelled')
    else
      void this.#follow(id, bytes, (signal) => session.awaitCompletion(wait, signal)).then(say, (error: unknown) =>
        say(error instanceof ConsentryError ? writeError(error) : wait.goesOn ? 'continued' : 'cancelled'),
      )
    return true
  }

  #isFull(bytes: number): boolean {
    return this.#questions.size >= mostQuestions || this.#bytes + bytes > mostBytes
  }

  async #follow<Result>(id: number, bytes: number, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const asker = new AbortController()
    this.#questions.set(id, { asker, bytes })
    this.#bytes += bytes
    try {
      return await run(asker.signal)
    } finally {
      this.#questions.delete(id)
      this.#bytes -= bytes
      if (this.#questions.size === 0) this.#needs.onIdle()
    }
  }

  #say(message: FromDesk): void {
    this.#channel.send(message)
  }

  #end(why: string | undefined): void {
    const reason = new Error(why === undefined ? 'the wrap is gone' : `the wrap is gone: ${why}`)
    for (const { asker } of this.#questions.values()) asker.abort(reason)
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
  }
}
