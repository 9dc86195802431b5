import type { Inbox } from '../inbox/index.ts'
import type { ConnectionOrigin, Desk, DeskSession } from '../protocol/index.ts'
import type { RootEntry } from '../roots/index.ts'
import { AnsweringDesk, type AnsweringDeskOptions } from './answering-desk.ts'

export interface LocalDeskOptions extends Omit<AnsweringDeskOptions, 'reviewer' | 'reviewedBy'> {
  readonly inbox: Inbox
}

/** The desk in this process: the user's rules first, then people, through the inbox. Closing it closes neither inbox nor audit log. */
export class LocalDesk implements Desk {
  readonly #desk: AnsweringDesk
  readonly #stopWatching: () => void

  constructor({ inbox, ...options }: LocalDeskOptions) {
    this.#desk = new AnsweringDesk({ ...options, reviewer: inbox, reviewedBy: 'person' })
    this.#stopWatching = inbox.on('surfaces-changed', () => this.#desk.announceCapabilities())
  }

  /** @param given folders that the user named for this connection alone */
  open(origin: ConnectionOrigin, given?: readonly RootEntry[]): DeskSession {
    return this.#desk.open(origin, given)
  }

  /** Other rules or models hold now: whoever made promises looks again at what can be answered. */
  announceCapabilities(): void {
    this.#desk.announceCapabilities()
  }

  close(): Promise<void> {
    this.#stopWatching()
    return this.#desk.close()
  }
}
