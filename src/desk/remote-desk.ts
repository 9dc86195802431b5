import type { ConnectionOrigin, Desk, JsonObject } from '../protocol/index.ts'
import type { RemoteChannel } from './remote-channel.ts'
import { isKnown, readFromDesk, writeOrigin, type GivenFolder, type ToDesk } from './remote-messages.ts'
import { RemoteQuestions } from './remote-questions.ts'
import { RemoteSession } from './remote-session.ts'

export interface RemoteDeskOptions {
  /**
   * Finds the desk and greets it. Called again and again until one is there; must end in some seconds, because what waits waits for that too.
   *
   * @param isNeeded somebody waits for an answer, or a server knows folders that nobody watches: where no desk runs, one may be started
   */
  readonly connect: (isNeeded: boolean) => Promise<RemoteChannel>
  /** Told with each session: for that connection only. */
  readonly folders?: readonly GivenFolder[] | undefined
  /** How long a question waits for a desk that is gone, in milliseconds; a look that is under way then is waited for. Default: 5 seconds. */
  readonly patienceMs?: number | undefined
  /** Milliseconds between two looks for a desk: the first, and the longest. */
  readonly pauseMs?: { readonly first: number; readonly longest: number } | undefined
  readonly random?: (() => number) | undefined
  /** Milliseconds between two looks whether the desk still says something, while a question waits there. Default: 3 seconds. */
  readonly beatMs?: number | undefined
}

const goodbyeMs = 1000
/** A desk that has said nothing at so many looks is as good as lost. Counted, not timed: a machine that slept does not lose its desk. */
const mostSilentBeats = 3
/** Looks for a desk that was lost before another may be started: its person may be about to start it again. */
const patientLooks = 5
/** Desks that are started, after a loss, for the sake of folders alone: a desk that cannot stay is not started for ever. */
const mostStarts = 3

/**
 * The desk of another process, asked over its socket: it decides, this only asks.
 *
 * A desk that is lost is looked for again, with longer and longer pauses. What waits there meanwhile is asked again when it is back within the patience, and
 * ends as nobody's when it is not; what is new waits for it as long.
 */
export class RemoteDesk implements Desk {
  readonly #options: RemoteDeskOptions
  readonly #questions: RemoteQuestions
  readonly #sessions = new Map<number, RemoteSession>()
  readonly #patienceMs: number
  #channel: RemoteChannel | undefined
  #isConnecting = false
  #fault: unknown
  #pause: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #count = 0
  #isClosed = false
  #looksLeft = 0
  #startsLeft = 0
  #beat: ReturnType<typeof setTimeout> | undefined
  #silentBeats = 0

  constructor(options: RemoteDeskOptions) {
    this.#options = options
    this.#patienceMs = options.patienceMs ?? 5000
    this.#pause = this.#firstPause
    this.#questions = new RemoteQuestions({
      send: (message) => {
        this.#follow()
        return this.#channel?.send(message)
      },
      onNeeded: () => void this.#connect(),
      isLooking: () => this.#isConnecting,
      patienceMs: this.#patienceMs,
    })
  }

  /** Why there is no desk, as far as the last look for one showed. */
  get fault(): unknown {
    return this.#fault
  }

  open(origin: ConnectionOrigin): RemoteSession {
    const number = (this.#count += 1)
    const session = new RemoteSession(origin, {
      number,
      questions: this.#questions,
      tell: (message) => void (this.#isHeard(message) && this.#channel?.send(message)),
      offer: (message) => this.#isHeard(message) && this.#channel!.offer(message),
    })
    this.#sessions.set(number, session)
    if (this.#channel) this.#sendOpen(number, session)
    else void this.#connect()
    return session
  }

  /** Withdraws what waits, and hangs up when the desk has taken note of it, or takes too long. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    for (const session of this.#sessions.values()) session.close()
    const timer = setTimeout(() => this.#questions.close(), goodbyeMs)
    await this.#questions.whenIdle()
    clearTimeout(timer)
    this.#isClosed = true
    this.#questions.close()
    clearTimeout(this.#timer)
    clearTimeout(this.#beat)
    this.#channel?.close()
  }

  get #firstPause(): number {
    return this.#options.pauseMs?.first ?? 50
  }

  async #connect(): Promise<void> {
    if (this.#channel || this.#isConnecting || this.#isClosed) return
    this.#isConnecting = true
    clearTimeout(this.#timer)
    try {
      const isNeeded = this.#looksLeft <= 0 && (this.#questions.size > 0 || this.#leavesFoldersUnwatched())
      this.#looksLeft -= 1
      const channel = await this.#options.connect(isNeeded)
      if (this.#isClosed) channel.close()
      else this.#take(channel)
    } catch (error) {
      this.#fault = error
      this.#connectLater()
      this.#questions.takeFailure()
    } finally {
      this.#isConnecting = false
    }
  }

  /** A server goes on in folders that may be taken from it, and no desk would notice. */
  #leavesFoldersUnwatched(): boolean {
    const leaves = ({ isClosed, origin }: RemoteSession): boolean => !isClosed && (origin.undecided ?? origin.told ?? []).length > 0
    const isLeft = this.#startsLeft > 0 && [...this.#sessions.values()].some(leaves)
    if (isLeft) this.#startsLeft -= 1
    return isLeft
  }

  #connectLater(): void {
    if (this.#isClosed) return
    const { pauseMs, random = Math.random } = this.#options
    clearTimeout(this.#timer)
    // Many that lost the same desk do not all come at once.
    this.#timer = setTimeout(() => void this.#connect(), this.#pause * (0.5 + random()))
    this.#timer.unref()
    this.#pause = Math.min(this.#pause * 2, pauseMs?.longest ?? 5000)
  }

  #take(channel: RemoteChannel): void {
    this.#channel = channel
    this.#fault = undefined
    this.#silentBeats = 0
    this.#pause = this.#firstPause
    channel.open((message) => this.#read(message))
    void channel.closed.then(() => this.#lose())
    for (const [number, session] of this.#sessions) this.#sendOpen(number, session)
    this.#questions.askAll()
    for (const [number, session] of this.#sessions) if (session.isClosed) channel.send({ type: 'close', session: number } satisfies ToDesk)
  }

  #lose(): void {
    this.#channel = undefined
    if (this.#isClosed) return
    this.#looksLeft = patientLooks
    this.#startsLeft = mostStarts
    for (const session of this.#sessions.values()) session.takeLoss()
    this.#connectLater()
    this.#questions.takeLoss()
  }

  /** As long as something waits there, sees that somebody is there: a desk that stands still keeps its connection. */
  #follow(): void {
    this.#beat ??= setTimeout(() => {
      this.#beat = undefined
      if (this.#channel === undefined || this.#isClosed || this.#questions.size === 0) {
        this.#silentBeats = 0
        return
      }
      if (this.#silentBeats >= mostSilentBeats) this.#channel.breakOff('it does not answer any more')
      else {
        this.#silentBeats += 1
        this.#channel.send({ type: 'ping' } satisfies ToDesk)
        this.#follow()
      }
    }, this.#options.beatMs ?? 3000).unref()
  }

  /** Whether a desk is there that understands this. */
  #isHeard(message: Parameters<typeof isKnown>[0]): boolean {
    return this.#channel !== undefined && isKnown(message, this.#channel.version)
  }

  #sendOpen(number: number, session: RemoteSession): void {
    const channel = this.#channel
    const origin = channel && writeOrigin(session.origin, channel.version)
    if (origin) channel.send({ type: 'open', session: number, origin, folders: this.#options.folders ?? [] } satisfies ToDesk)
    session.takeOpening()
  }

  #read(json: JsonObject): void {
    this.#silentBeats = 0
    const message = readFromDesk(json)
    switch (message?.type) {
      case undefined:
        return this.#channel?.breakOff('it says what no desk of ours would say')
      case 'capabilities':
        return this.#sessions.get(message.session)?.takeCapabilities(message.capabilities)
      case 'event':
        return this.#sessions.get(message.session)?.takeEvent(message.name, message.detail)
      case 'answered':
        return this.#questions.take(message.id, message.response)
      case 'waited':
        return this.#questions.take(message.id, message.outcome)
      case 'done':
      case 'pong':
        return undefined
      default:
        return message satisfies never
    }
  }
}
