import { beginning, hashOf, type ChainLink, type ChainRow } from './audit-chain.ts'

/** What an inspection of the log found. */
export type Verification =
  | { readonly ok: true; readonly entries: number }
  /** `firstBad` is the position of the first entry that was altered or is missing; before it, all is as it was written. */
  | { readonly ok: false; readonly firstBad: number; readonly fault: 'altered' | 'missing'; readonly reason: string }

/** Looks at rows from the first to the last, one by one, and then at what the anchor says of them. */
export class ChainCheck {
  #last: ChainLink = beginning
  readonly #anchor: ChainLink | undefined
  #bad: Verification | undefined

  constructor(anchor: ChainLink | undefined) {
    this.#anchor = anchor
  }

  /** @returns false once something is wrong: no row after it can be trusted */
  add(row: ChainRow): boolean {
    this.#bad ??= this.#faultOf(row)
    this.#last = row
    return this.#bad === undefined
  }

  finish(): Verification {
    if (this.#bad !== undefined) return this.#bad
    const { position } = this.#last
    if (this.#anchor === undefined) {
      if (position === 0) return { ok: true, entries: 0 }
      return bad(position + 1, 'missing', `the anchor file is gone or damaged: entries after ${position} may have been removed`)
    }
    if (this.#anchor.position > position)
      return bad(position + 1, 'missing', `the anchor knows ${this.#anchor.position} entries, the log ends with ${position}`)
    return { ok: true, entries: position }
  }

  #faultOf(row: ChainRow): Verification | undefined {
    const { position, hash } = this.#last
    if (row.position < position + 1) return bad(row.position, 'altered', `an entry stands before the first`)
    if (row.position > position + 1) return bad(position + 1, 'missing', `after entry ${position} comes entry ${row.position}`)
    if (row.hash !== hashOf(row)) return bad(row.position, 'altered', `entry ${row.position} is not what its hash says`)
    if (row.previous !== hash) {
      if (position === 0) return bad(row.position, 'altered', `entry ${row.position} follows something that is not the beginning`)
      return bad(position, 'altered', `entry ${position} is not the one that entry ${row.position} was chained to`)
    }
    if (row.position === this.#anchor?.position && row.hash !== this.#anchor.hash)
      return bad(row.position, 'altered', `entry ${row.position}, or one before it, is not the one that was anchored`)
    return undefined
  }
}

function bad(firstBad: number, fault: 'altered' | 'missing', reason: string): Verification {
  return { ok: false, firstBad, fault, reason }
}
