import { latestRevision, type AnswerCapabilities } from '../protocol/index.ts'
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
  #wishes: Wishes

  constructor(options: ModernPromiseOptions) {
    this.#options = options
    this.#wishes = options.wishes
  }

  /** From now on the client is asked no forms and pages that can be answered here, whatever it declares; what the user left to it stays there. */
  takeOver(): void {
    const { take, pass } = this.#wishes
    if (pass.has('elicitation')) return
    this.#wishes = { take: new Set([...take, 'elicitation']), pass }
    this.#merged = undefined
  }

  /** The client is asked again what it declares. */
  giveBack(): void {
    this.#wishes = this.#options.wishes
    this.#merged = undefined
  }

  /** @returns a text: two receivers could read these capabilities differently */
  merge(bytes: Buffer, span: Span): MergedCapabilities | string {
    const { session, onShared } = this.#options
    const can = session.capabilities()
    if (this.#merged && this.#declared && this.#declared.compare(bytes, span.start, span.end) === 0 && isSame(can, this.#can!)) return this.#merged
    const merged = mergeCapabilities(bytes, span, { revision: latestRevision, can, wishes: this.#wishes })
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
