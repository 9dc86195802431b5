import type { Clock } from '../mcp/clock.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers } from './read-members.ts'
import type { Wire } from './wire.ts'

/** Nobody reads a form, and closes it, in so many milliseconds. */
const noHumanMs = 300
const inARow = 3

const parts = new KeySet(['action'])

/** Notices a client that declared elicitation and shows none: it cancels every one at once. A person is told what to do about it, once. */
export class QuickCancels {
  readonly #clock: Clock
  readonly #wire: Wire
  #count = 0

  constructor({ clock, wire }: { readonly clock: Clock; readonly wire: Wire }) {
    this.#clock = clock
    this.#wire = wire
  }

  /** @param result what the client answered @param askedAt when it was asked */
  note(bytes: Buffer, result: Span, askedAt: number): void {
    if (this.#count >= inARow) return
    const action = readMembers(bytes, result, parts)?.spans.action
    const isQuick = this.#clock.now() - askedAt < noHumanMs && action !== undefined && readText(bytes, action) === 'cancel'
    this.#count = isQuick ? this.#count + 1 : 0
    if (this.#count === inARow)
      this.#wire.notice(
        `the client said that it shows forms, and cancelled ${inARow} of them before anybody could read them: --take elicitation has them answered here`,
      )
  }
}
