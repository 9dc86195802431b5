import { inputKinds, type InputKind, type InputMethod, inputMethods } from '../protocol/index.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { QuickCancels, type QuickCancelsNeeds } from './quick-cancels.ts'
import type { QuestionAtClient } from './questions-at-client.ts'
import { listMembers, readMembers } from './read-members.ts'

interface GivenQuestion {
  readonly key: string
  readonly method: InputMethod | undefined
}

/** Questions of 2026-07-28 that the client is to come back with. */
interface GivenRound {
  readonly at: number
  readonly state: string | undefined
  /** By the server's key. */
  readonly kinds: ReadonlyMap<string, InputKind>
}

/** Whoever never comes back leaves no more than so many behind. */
const mostRounds = 64
const parts = new KeySet(['action'])

/** Everything that the client is asked, in either era, and whether it looks as if anybody saw it. */
export class UnseenQuestions {
  readonly #clock: QuickCancelsNeeds['clock']
  readonly #kinds: Readonly<Record<InputKind, QuickCancels>>
  /** What the client was given and has not come back with, oldest first. */
  #rounds: readonly GivenRound[] = []

  constructor(needs: QuickCancelsNeeds) {
    this.#clock = needs.clock
    this.#kinds = {
      roots: new QuickCancels('roots', needs),
      elicitation: new QuickCancels('elicitation', needs),
      sampling: new QuickCancels('sampling', needs),
    }
  }

  /** The client was asked, in the older era. */
  asked(method: InputMethod, id: unknown): void {
    this.#kinds[inputMethods[method]].asked(id)
  }

  /** It has answered, or is to answer no more. */
  ended(id: unknown): void {
    for (const kind of inputKinds) this.#kinds[kind].ended(id)
  }

  /** @param result what it answered; undefined where that is an error */
  note(method: InputMethod, bytes: Buffer, result: Span | undefined, { at }: QuestionAtClient): void {
    this.#kinds[inputMethods[method]].note(result === undefined || isCancel(bytes, result), at)
  }

  /** The client is given questions of 2026-07-28, and comes back when it likes. @param state what it comes back with */
  gave(questions: readonly GivenQuestion[], state: string | undefined): void {
    const kinds = new Map(questions.flatMap(({ key, method }) => (method === undefined ? [] : [[key, inputMethods[method]] as const])))
    const round: GivenRound = { at: this.#clock.now(), state, kinds }
    this.#rounds = [...this.#rounds, round].slice(-mostRounds)
    for (const kind of new Set(kinds.values())) this.#kinds[kind].gave(round)
  }

  /** It comes back. @param responses what became of them: what is not among them was refused */
  took(bytes: Buffer, responses: Span | undefined, state: string | undefined): void {
    const round = this.#rounds.find((one) => one.state === state)
    if (round === undefined) return
    this.#rounds = this.#rounds.filter((one) => one !== round)
    const answered = new Map((responses && listMembers(bytes, responses))?.map(({ key, value }) => [readText(bytes, key), value]))
    for (const kind of new Set(round.kinds.values())) {
      const keys = [...round.kinds].flatMap(([key, one]) => (one === kind ? [key] : []))
      const isRefused = keys.every((key) => {
        const response = answered.get(key)
        return response === undefined || isCancel(bytes, response)
      })
      this.#kinds[kind].ended(round)
      this.#kinds[kind].note(isRefused, round.at)
    }
  }

  /** Waits for nothing of these any more. Safe to call twice. */
  close(kinds: readonly InputKind[] = inputKinds): void {
    for (const kind of kinds) this.#kinds[kind].close()
  }
}

function isCancel(bytes: Buffer, result: Span): boolean {
  const action = readMembers(bytes, result, parts)?.spans.action
  return action !== undefined && readText(bytes, action) === 'cancel'
}
