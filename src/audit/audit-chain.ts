import { canonicalJson, sha256 } from '../store/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { KeptEntry } from './redact-entry.ts'

/** One row of the log. */
export interface ChainRow {
  /** From 1, without gaps. */
  readonly position: number
  /** Canonical JSON. */
  readonly entry: string
  /** The hash of the row before. */
  readonly previous: string
  readonly hash: string
}

/** A place in the chain: that of a row, or the beginning. */
export type ChainLink = Pick<ChainRow, 'position' | 'hash'>

/** What the first row follows. */
export const beginning: ChainLink = { position: 0, hash: '0'.repeat(64) }

/** No row has this hash: a row that follows it says for good that what stood before could not be vouched for. */
const LOST = 'anchor-lost'

/** Chains entries to a link: each hash covers position, text, and the hash before. */
export function chainEntries(link: ChainLink, entries: readonly KeptEntry[]): readonly ChainRow[] {
  const rows: ChainRow[] = []
  let { position, hash: previous } = link
  for (const kept of entries) {
    position += 1
    const entry = canonicalJson(kept as unknown as JsonObject)
    const hash = hashOf({ position, entry, previous })
    rows.push({ position, entry, previous, hash })
    previous = hash
  }
  return rows
}

export function hashOf({ position, entry, previous }: Omit<ChainRow, 'hash'>): string {
  return sha256(`${position}\n${previous}\n${entry}`)
}

/**
 * What the next entry is chained to. Normally the last row; but where the table does not hold what the anchor says, the damage must stay visible for ever:
 * the chain goes on from the anchor then, past the positions that are gone, and never from rows that nobody vouches for.
 *
 * @param isAnchored whether the table holds the row that the anchor names
 */
export function linkForNext(anchor: ChainLink | undefined, last: ChainLink | undefined, isAnchored: boolean): ChainLink {
  if (anchor === undefined) return last === undefined ? beginning : { position: last.position, hash: LOST }
  if (isAnchored) return last ?? beginning
  return { position: Math.max(anchor.position, last?.position ?? 0), hash: anchor.hash }
}
