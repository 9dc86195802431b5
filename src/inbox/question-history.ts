import type { AskedBefore, ServerIdentity } from '../protocol/index.ts'
import { keyOf } from './asker-key.ts'

interface Known {
  readonly times: number
  readonly first: number
  readonly latest: number
}

const MOST_REMEMBERED = 1000

/** Who has asked the same before in this run: people are told, because to ask again and again is a way to wear them down. */
export class QuestionHistory {
  /** Least recently asked first. */
  readonly #known = new Map<string, Known>()

  /** Notes one question. Without `sameness` it is like no other. @param now milliseconds since the epoch */
  note(server: ServerIdentity, sameness: string | undefined, now: number): AskedBefore {
    if (sameness === undefined) return { times: 1, first: now }
    const key = `${keyOf(server)} ${sameness}`
    const before = this.#known.get(key)
    this.#known.delete(key)
    this.#known.set(key, { times: (before?.times ?? 0) + 1, first: before?.first ?? now, latest: now })
    this.#forgetOldest()
    return before ? { times: before.times + 1, first: before.first, last: before.latest } : { times: 1, first: now }
  }

  #forgetOldest(): void {
    if (this.#known.size <= MOST_REMEMBERED) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }
}
