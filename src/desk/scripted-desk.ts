import type { ConnectionOrigin, Desk, DeskSession } from '../protocol/index.ts'
import type { RootEntry } from '../roots/index.ts'
import { AnsweringDesk, type AnsweringDeskOptions } from './answering-desk.ts'
import { Script, type ScriptOptions } from './script.ts'

export interface ScriptedDeskOptions extends Omit<AnsweringDeskOptions, 'reviewer' | 'reviewedBy'> {
  readonly script: ScriptOptions
}

/** The desk with an answers file in place of people. The user's rules come first here too. */
export class ScriptedDesk implements Desk {
  readonly #desk: AnsweringDesk

  constructor({ script, ...options }: ScriptedDeskOptions) {
    this.#desk = new AnsweringDesk({ ...options, reviewer: new Script(script), reviewedBy: 'script' })
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
    return this.#desk.close()
  }
}
