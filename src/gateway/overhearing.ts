import type { Clock } from '../mcp/clock.ts'
import type { DeskSession } from '../protocol/index.ts'
import type { Outlet } from './flow.ts'
import type { Readable } from './streams.ts'
import type { TrafficTap } from './traffic-tap.ts'

/** Has a desk hear what client and server say to each other, as long as somebody there wants to see it. Until then nothing is looked at, and nothing loaded for it. */
export class Overhearing {
  readonly #clock: Clock
  #tap: TrafficTap | undefined
  #isWanted = false
  #server: { readonly output: Readable; readonly outlet: Outlet } | undefined
  #stop: () => void = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The server is spoken to here from now on. */
  attach(output: Readable, outlet: Outlet): void {
    this.#server = { output, outlet }
    this.#listen()
  }

  follow(session: DeskSession): void {
    // What cannot be loaded is not seen; what is said goes on.
    const turn = (isWanted: boolean): void => void this.#turn(session, isWanted).catch(() => undefined)
    session.on('traffic-wanted', turn)
    if (session.wantsTraffic) turn(true)
  }

  async #turn(session: DeskSession, isWanted: boolean): Promise<void> {
    this.#isWanted = isWanted
    this.#tap = undefined
    if (isWanted) {
      const { TrafficTap } = await import('./traffic-tap.ts')
      if (this.#isWanted) this.#tap = new TrafficTap({ clock: this.#clock, tell: (heard) => session.heard?.(heard) ?? false })
    }
    this.#listen()
  }

  #listen(): void {
    this.#stop()
    const [tap, server] = [this.#tap, this.#server]
    if (tap === undefined || server === undefined) return
    const hear = (chunk: Buffer): void => tap.hear('server', chunk)
    // Before whoever passes it on, so that no answer stands before its question.
    server.output.prependListener('data', hear)
    server.outlet.onWrite = (bytes) => tap.hear('client', bytes)
    this.#stop = () => {
      server.output.off('data', hear)
      server.outlet.onWrite = undefined
    }
  }
}
