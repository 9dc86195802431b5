import type { ConnectionOrigin, Desk, DeskSession, ServerIdentity } from '../protocol/index.ts'
import type { Proposal, RootEntry, ServerRoots } from '../roots/index.ts'
import { createSamplingMemory } from '../sampling/sampling-memory.ts'
import { AnsweringSession, type AnsweringNeeds } from './answering-session.ts'

export interface AnsweringDeskOptions extends Omit<AnsweringNeeds, 'roots' | 'proposeRoots' | 'isHeld' | 'newQuestionId' | 'onBegin'> {
  /** The folders that a server may be told, for one connection; closed with it. @param given named for this connection alone */
  readonly openRoots: (origin: Pick<ConnectionOrigin, 'server' | 'keptFolders'>, given: readonly RootEntry[]) => ServerRoots
  /** What to offer a server for which no folder was decided yet. */
  readonly proposeRoots?: ((server: ServerIdentity) => readonly Proposal[] | Promise<readonly Proposal[]>) | undefined
  /** Whether a server that is started here is held to its folders. Default: none is. */
  readonly isHeld?: ((server: ServerIdentity) => boolean) | undefined
  readonly newQuestionId?: (() => string) | undefined
}

/** What every desk in this process is inside: one session per connection, ended together. */
export class AnsweringDesk implements Desk {
  readonly #options: AnsweringDeskOptions
  readonly #newQuestionId: () => string
  readonly #samplingMemory: AnsweringNeeds['samplingMemory']
  readonly #sessions = new Set<AnsweringSession>()
  /** What has not ended yet, also of sessions that are closed. */
  readonly #open = new Set<Promise<unknown>>()

  constructor(options: AnsweringDeskOptions) {
    let count = 0
    this.#options = options
    this.#samplingMemory = options.samplingMemory ?? createSamplingMemory()
    this.#newQuestionId = options.newQuestionId ?? (() => `question-${(count += 1)}`)
  }

  /** @param given folders that the user named for this connection alone */
  open(origin: ConnectionOrigin, given: readonly RootEntry[] = []): DeskSession {
    const { openRoots, proposeRoots, isHeld, ...options } = this.#options
    const { server } = origin
    const session = new AnsweringSession(origin, {
      ...options,
      newQuestionId: this.#newQuestionId,
      samplingMemory: this.#samplingMemory,
      roots: openRoots(origin, given),
      proposeRoots: () => proposeRoots?.(server) ?? [],
      isHeld: () => isHeld?.(server) === true,
      onBegin: (end) => this.#remember(end),
    })
    session.onClose(() => this.#sessions.delete(session))
    this.#sessions.add(session)
    return session
  }

  /** Other people, or other rules, can be asked now. */
  announceCapabilities(): void {
    for (const session of this.#sessions) session.announceCapabilities()
  }

  /** Ends every question, and waits until each has ended and is written down. Safe to call twice. */
  async close(): Promise<void> {
    for (const session of this.#sessions) session.close()
    await Promise.allSettled(this.#open)
  }

  #remember(end: Promise<unknown>): void {
    const forget = (): boolean => this.#open.delete(end)
    this.#open.add(end)
    end.then(forget, forget)
  }
}
