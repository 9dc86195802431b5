import type { Clock } from '../mcp/clock.ts'
import type { ClientSilence, InputKind } from '../protocol/index.ts'
import type { Wire } from './wire.ts'

/** Nobody reads a question, and closes it, in so many milliseconds. */
const noHumanMs = 300
const inARow = 3
/** Somebody who reads a question has not forgotten it after so long; a client that shows nothing never answers. */
const silentMs = 2 * 60_000

export interface QuickCancelsNeeds {
  readonly clock: Clock
  readonly wire: Wire
  /** Told beside the notice, once for each, and when a client that was silent answers. */
  readonly report: (kind: InputKind, how: ClientSilence | 'answers') => void
}

/**
 * Notices a client that declared one of the three features and shows nobody what it is asked of it: it closes every question at once, or never answers. A person is told
 * what to do about it, once for each; nothing is taken from the client because of that.
 */
export class QuickCancels {
  readonly #kind: InputKind
  readonly #needs: QuickCancelsNeeds
  #count = 0
  #isSilenceTold = false
  #hasAnswered = false
  /** The question whose answer is waited for, of all that the client has. */
  #followed: unknown
  #cancel = (): void => {}

  constructor(kind: InputKind, needs: QuickCancelsNeeds) {
    this.#kind = kind
    this.#needs = needs
  }

  /** The client was asked. @param question what tells it apart */
  asked(question: unknown): void {
    if (this.#followed !== undefined || this.#isSilenceTold) return
    this.#followed = question
    this.#cancel = this.#needs.clock.after(silentMs, () => {
      this.#isSilenceTold = true
      this.#needs.report(this.#kind, 'silence')
      this.#needs.wire.notice(words[this.#kind].silence(silentMs / 60_000))
    })
  }

  /** The client is to come back with it when it likes: one that did so before may also have dropped the call. */
  gave(question: unknown): void {
    if (!this.#hasAnswered) this.asked(question)
  }

  /** It has answered, or is to answer no more. */
  ended(question: unknown): void {
    if (this.#followed !== question) return
    if (this.#isSilenceTold) this.#needs.report(this.#kind, 'answers')
    this.close()
  }

  /** Waits for nothing any more. Safe to call twice. */
  close(): void {
    this.#followed = undefined
    this.#cancel()
  }

  /** @param isRefused whether the client closed the question @param askedAt when it was asked */
  note(isRefused: boolean, askedAt: number): void {
    const isQuick = isRefused && this.#needs.clock.now() - askedAt < noHumanMs
    this.#hasAnswered ||= !isQuick
    if (this.#count >= inARow) return
    this.#count = isQuick ? this.#count + 1 : 0
    if (this.#count < inARow) return
    this.#needs.report(this.#kind, 'cancels')
    this.#needs.wire.notice(words[this.#kind].cancels(inARow))
  }
}

interface Words {
  readonly silence: (minutes: number) => string
  readonly cancels: (count: number) => string
}

const words: Readonly<Record<InputKind, Words>> = {
  roots: {
    silence: (minutes) => `the client said that it tells folders, and has told none for ${minutes} minutes: --take roots has them told here`,
    cancels: (count) => `the client said that it tells folders, and refused at once to do so ${count} times: --take roots has them told here`,
  },
  elicitation: {
    silence: (minutes) =>
      `the client said that it shows forms, and has not answered one for ${minutes} minutes: if you see none there, --take elicitation has them answered here`,
    cancels: (count) =>
      `the client said that it shows forms, and cancelled ${count} of them before anybody could read them: --take elicitation has them answered here`,
  },
  sampling: {
    silence: (minutes) =>
      `the client said that it asks a model, and has not answered a request for ${minutes} minutes: if you see none there, --take sampling has them answered here`,
    cancels: (count) =>
      `the client said that it asks a model, and refused ${count} requests before anybody could read them: --take sampling has them answered here`,
  },
}
