import type { Clock } from '../mcp/clock.ts'
import type { ClientSilence } from '../protocol/index.ts'
import type { RequestId } from './envelope.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { listMembers, readMembers } from './read-members.ts'
import type { Wire } from './wire.ts'

/** Nobody reads a form, and closes it, in so many milliseconds. */
const noHumanMs = 300
const inARow = 3
/** Somebody who reads a form has not forgotten it after so long; a client that shows nothing never answers. */
const silentMs = 2 * 60_000

const parts = new KeySet(['action'])

export interface QuickCancelsNeeds {
  readonly clock: Clock
  readonly wire: Wire
  /** Told beside the notice, once for each, and when a client that was silent answers. */
  readonly report: (how: ClientSilence | 'answers') => void
}

/**
 * Notices a client that declared elicitation and shows none: it cancels every one at once, or never answers. A person is told what to do about it, once for each; nothing
 * is taken from the client because of that.
 */
export class QuickCancels {
  readonly #clock: Clock
  readonly #wire: Wire
  readonly #report: (how: ClientSilence | 'answers') => void
  #count = 0
  #isSilenceTold = false
  /** The question whose answer is waited for, of all that the client has. */
  #followed: RequestId | undefined
  #cancel = (): void => {}
  /** When the client was last given questions of 2026-07-28 to come back with. */
  #roundAt: number | undefined

  constructor({ clock, wire, report }: QuickCancelsNeeds) {
    this.#clock = clock
    this.#wire = wire
    this.#report = report
  }

  /** The client was asked. */
  asked(id: RequestId): void {
    if (this.#followed !== undefined || this.#isSilenceTold) return
    this.#followed = id
    this.#cancel = this.#clock.after(silentMs, () => {
      this.#isSilenceTold = true
      this.#report('silence')
      this.#wire.notice(
        `the client said that it shows forms, and has not answered one for ${silentMs / 60_000} minutes: if you see none there, --take elicitation has them answered here`,
      )
    })
  }

  /** It has answered, or is to answer no more. */
  ended(id: RequestId): void {
    if (this.#followed !== id) return
    if (this.#isSilenceTold) this.#report('answers')
    this.close()
  }

  /** Waits for nothing any more. Safe to call twice. */
  close(): void {
    this.#followed = undefined
    this.#cancel()
  }

  /** @param result what the client answered @param askedAt when it was asked */
  note(bytes: Buffer, result: Span, askedAt: number): void {
    if (this.#count < inARow) this.#add(this.#clock.now() - askedAt < noHumanMs && isCancel(bytes, result))
  }

  /** The client is given forms or pages, and comes back when it likes. */
  gave(): void {
    this.#roundAt = this.#clock.now()
  }

  /** @param responses what it came back with */
  noteReturn(bytes: Buffer, responses: Span): void {
    const askedAt = this.#roundAt
    this.#roundAt = undefined
    if (askedAt === undefined || this.#count >= inARow) return
    const all = listMembers(bytes, responses) ?? []
    this.#add(this.#clock.now() - askedAt < noHumanMs && all.length > 0 && all.every(({ value }) => isCancel(bytes, value)))
  }

  #add(isQuick: boolean): void {
    this.#count = isQuick ? this.#count + 1 : 0
    if (this.#count < inARow) return
    this.#report('cancels')
    this.#wire.notice(
      `the client said that it shows forms, and cancelled ${inARow} of them before anybody could read them: --take elicitation has them answered here`,
    )
  }
}

function isCancel(bytes: Buffer, result: Span): boolean {
  const action = readMembers(bytes, result, parts)?.spans.action
  return action !== undefined && readText(bytes, action) === 'cancel'
}
