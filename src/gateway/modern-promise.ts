import { latestRevision, type AnswerCapabilities, type InputKind } from '../protocol/index.ts'
import type { Span } from './json-bytes.ts'
import type { LazySession } from './lazy-session.ts'
import { mergeCapabilities, type MergedCapabilities } from './merge-capabilities.ts'
import type { Owners, Wishes } from './share-features.ts'

export interface ModernPromiseOptions {
  readonly session: LazySession
  readonly wishes: Wishes
  readonly onShared?: ((owners: Owners) => void) | undefined
}

/**
 * What the server is told with each request of 2026-07-28: what that request declares, and what can be answered here at that moment.
 * A client declares the same each time, so that the last answer is kept by its bytes.
 */
export class ModernPromise {
  readonly #options: ModernPromiseOptions
  #declared: Buffer | undefined
  #can: AnswerCapabilities | undefined
  #merged: MergedCapabilities | undefined
  readonly #taken = new Set<InputKind>()

  constructor(options: ModernPromiseOptions) {
    this.#options = options
  }

  /** From now on the client is asked nothing of this kind that can be answered here, whatever it declares; what the user left to it stays there. */
  takeOver(kind: InputKind): void {
    if (this.#options.wishes.pass.has(kind)) return
    this.#taken.add(kind)
    this.#merged = undefined
  }

  /** The client is asked again what it declares. */
  giveBack(kind: InputKind): void {
    this.#taken.delete(kind)
    this.#merged = undefined
  }

  /** @returns a text: two receivers could read these capabilities differently */
  merge(bytes: Buffer, span: Span): MergedCapabilities | string {
    const { session, wishes, onShared } = this.#options
    const can = session.capabilities()
    if (this.#merged && this.#declared && this.#declared.compare(bytes, span.start, span.end) === 0 && isSame(can, this.#can!)) return this.#merged
    const merged = mergeCapabilities(bytes, span, { revision: latestRevision, can, wishes, taken: this.#taken })
    if (typeof merged === 'string') return merged
    this.#declared = Buffer.from(bytes.subarray(span.start, span.end))
    this.#can = can
    this.#merged = { ...merged, bytes: Buffer.from(merged.bytes) }
    onShared?.(merged.owners)
    return this.#merged
  }
}

function isSame(one: AnswerCapabilities, other: AnswerCapabilities): boolean {
  return (
    one === other ||
    (one.roots === other.roots &&
      one.form === other.form &&
      one.url === other.url &&
      one.sampling === other.sampling &&
      one.samplingTools === other.samplingTools)
  )
}
