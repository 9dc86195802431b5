import type { AuditEntry, AuditSink } from './audit-entry.ts'
import { redactEntry, type KeptEntry } from './redact-entry.ts'

/** Keeps entries in memory, oldest first: for embedding hosts that keep their own log, and for tests. */
export class MemoryAudit implements AuditSink {
  readonly #entries: KeptEntry[] = []
  readonly #now: () => number

  constructor({ now = Date.now }: { readonly now?: (() => number) | undefined } = {}) {
    this.#now = now
  }

  get entries(): readonly KeptEntry[] {
    return this.#entries
  }

  append(entry: AuditEntry): Promise<void> {
    this.#entries.push(redactEntry(entry, this.#now()))
    return Promise.resolve()
  }
}
