import { ConsentryError } from '../errors.ts'
import { eraOf, latestLegacyRevision, latestRevision, type Era, type Revision } from '../protocol/index.ts'
import { systemClock, within, type Clock } from './clock.ts'
import type { ConnectOptions, ConnectTimeouts } from './connect-options.ts'
import { ConnectionAttempt } from './connection-attempt.ts'
import { onAbort } from './on-abort.ts'
import type { ConnectTarget } from './open-channel.ts'
import type { Probe } from './probe.ts'
import { fromSdkError } from './sdk-error.ts'
import type { ServerConnection } from './server-connection.ts'

/**
 * Connects to a server: starts it, or speaks to its address, and agrees on a revision.
 *
 * `auto` asks once whether it speaks 2026-07-28. A server that refuses or says nothing is offered the handshake of 2025 at once, and if that leads
 * nowhere it is started afresh with it, as is one that died of the question.
 *
 * @throws ConsentryError `SERVER_UNREACHABLE` saying what the server's last words were; `CALL_CANCELLED` when the signal was aborted
 */
export async function connect(options: ConnectOptions): Promise<ServerConnection> {
  const { signal } = options
  const negotiation = new Negotiation(options)
  const stop = (): void => void negotiation.abandon()
  const stopWatching = signal && onAbort(signal, stop)
  try {
    await options.session.known
    return await negotiation.connect()
  } catch (error) {
    await negotiation.abandon()
    throw signal?.aborted ? new ConsentryError('CALL_CANCELLED', 'Connecting was cancelled', { cause: error }) : asUnreachable(error)
  } finally {
    stopWatching?.()
  }
}

/** The tries to get one connection; one server process at most lives at a time. */
class Negotiation {
  readonly #options: ConnectOptions
  readonly #clock: Clock
  readonly #timeouts: ConnectTimeouts
  readonly #isRestartable: boolean
  #current: ConnectionAttempt | undefined

  constructor(options: ConnectOptions) {
    const { target, clock = systemClock } = options
    this.#options = options
    this.#clock = clock
    this.#isRestartable = target.kind !== 'transport' || typeof target.transport === 'function'
    const probeTimeoutMs = target.kind === 'http' ? 5000 : 3000
    this.#timeouts = { connectTimeoutMs: 60_000, probeTimeoutMs, confusedTimeoutMs: 8000, ...options.timeouts }
  }

  connect(): Promise<ServerConnection> {
    const { protocol = 'auto' } = this.#options
    if (protocol === 'auto') return this.#connectNewest()
    return eraOf(protocol) === 'modern' ? this.#connectModern() : this.#connectLegacy(protocol)
  }

  async abandon(): Promise<void> {
    await this.#current?.abandon()
  }

  async #connectNewest(): Promise<ServerConnection> {
    const { signal } = this.#options
    const known = this.#verdict
    if (known !== 'legacy') return this.#connectProbing(known)
    try {
      return await this.#connectLegacy(latestLegacyRevision)
    } catch (error) {
      if (signal?.aborted || !this.#isRestartable || !isAnswer(error)) throw error
      return this.#connectProbing(undefined)
    }
  }

  async #connectProbing(known: Era | undefined): Promise<ServerConnection> {
    const { probeTimeoutMs, connectTimeoutMs } = this.#timeouts
    const attempt = await this.#begin()
    const answer = await attempt.probe(known === 'modern' ? connectTimeoutMs : probeTimeoutMs)
    const connection = await this.#connectAsFound(attempt, answer)
    this.#verdict = eraOf(connection.revision)
    // A slow starter that shook hands may speak the newer revision too: next time.
    void answer.eventually.then(({ kind }) => {
      if (kind === 'modern') this.#verdict = 'modern'
    })
    return connection
  }

  get #verdict(): Era | undefined {
    const key = keyOf(this.#options.target)
    return key === undefined ? undefined : this.#options.eras?.get(key)
  }

  set #verdict(era: Era) {
    const key = keyOf(this.#options.target)
    if (key !== undefined) this.#options.eras?.set(key, era)
  }

  async #connectAsFound(attempt: ConnectionAttempt, { finding, eventually }: Probe): Promise<ServerConnection> {
    switch (finding.kind) {
      case 'modern':
        return attempt.finish({ era: 'modern', discover: finding.discover })
      case 'unreachable':
        throw finding.error
      case 'gone':
        if (!this.#isRestartable) throw attempt.describeLoss()
        return this.#connectLegacy(latestLegacyRevision)
      case 'legacy':
      case 'silent':
        return this.#offerHandshake(attempt, eventually)
      default:
        return finding satisfies never
    }
  }

  /** On the server that was just asked: most take it. What it may still say to the probe counts too. */
  async #offerHandshake(attempt: ConnectionAttempt, eventually: Probe['eventually']): Promise<ServerConnection> {
    const { confusedTimeoutMs, connectTimeoutMs } = this.#timeouts
    try {
      return await attempt.finish({ era: 'legacy', offer: latestLegacyRevision, timeoutMs: this.#isRestartable ? confusedTimeoutMs : connectTimeoutMs })
    } catch (error) {
      if (this.#options.signal?.aborted || !this.#isRestartable) throw error
      const late = await within(this.#clock, this.#timeouts.probeTimeoutMs, eventually)
      if (late?.kind !== 'modern') return this.#connectLegacy(latestLegacyRevision)
      const fresh = await this.#begin()
      return fresh.finish({ era: 'modern', discover: late.discover })
    }
  }

  async #connectLegacy(offer: Revision): Promise<ServerConnection> {
    const attempt = await this.#begin()
    return attempt.finish({ era: 'legacy', offer, timeoutMs: this.#timeouts.connectTimeoutMs })
  }

  async #connectModern(): Promise<ServerConnection> {
    const attempt = await this.#begin()
    const { finding } = await attempt.probe(this.#timeouts.connectTimeoutMs)
    if (finding.kind === 'modern') return attempt.finish({ era: 'modern', discover: finding.discover })
    if (finding.kind === 'unreachable') throw finding.error
    if (finding.kind === 'gone') throw attempt.describeLoss()
    throw new ConsentryError('SERVER_UNREACHABLE', `The server does not speak ${latestRevision}`)
  }

  async #begin(): Promise<ConnectionAttempt> {
    await this.abandon()
    this.#options.signal?.throwIfAborted()
    this.#current = new ConnectionAttempt(this.#options, this.#clock)
    await this.#current.open()
    return this.#current
  }
}

/** What a verdict is remembered by; a transport of somebody else's says nothing about the next one. */
function keyOf(target: ConnectTarget): string | undefined {
  if (target.kind === 'stdio') return JSON.stringify([target.command, target.args ?? [], target.cwd])
  return target.kind === 'http' ? target.url : undefined
}

/** The server was there and did not take the handshake. */
function isAnswer(error: unknown): boolean {
  return error instanceof ConsentryError && error.code !== 'SERVER_UNREACHABLE'
}

/** Whatever went wrong before there was a connection: there is none. */
function asUnreachable(error: unknown): ConsentryError {
  const known = fromSdkError(error)
  if (!['CONNECTION_LOST', 'CALL_TIMED_OUT', 'SERVER_ERROR'].includes(known.code)) return known
  return new ConsentryError('SERVER_UNREACHABLE', `The connection could not be made: ${known.message}`, {
    cause: known,
    ...(known.data && { data: known.data }),
  })
}
