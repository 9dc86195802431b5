import type { Clock, ListChange, ListName } from '../mcp/index.ts'
import type { JsonObject } from '../protocol/index.ts'

export interface KeptListsNeeds {
  readonly read: (list: ListName) => Promise<readonly JsonObject[]>
  /** Told with the new list, after a change. */
  readonly onChanged: (list: ListChange, entries: readonly JsonObject[]) => void
  readonly clock: Clock
}

/** A storm of changes is read once in this time. */
const settleMs = 100

/** What one server offers: read when it is wanted, and again when the server says that it has changed. */
export class KeptLists {
  readonly #needs: KeptListsNeeds
  readonly #kept = new Map<ListName, Promise<readonly JsonObject[]>>()
  readonly #due = new Map<ListChange, () => void>()

  constructor(needs: KeptListsNeeds) {
    this.#needs = needs
  }

  get(list: ListName): Promise<readonly JsonObject[]> {
    const kept = this.#kept.get(list)
    if (kept) return kept
    const reading = this.#needs.read(list)
    this.#kept.set(list, reading)
    reading.catch(() => this.#kept.get(list) === reading && this.#kept.delete(list))
    return reading
  }

  /** What was read before counts no more. */
  forget(list: ListName): void {
    this.#kept.delete(list)
  }

  /** What was read before counts no more, and who wants to know is told what is there now. */
  change(list: ListChange): void {
    this.forget(list)
    if (this.#due.has(list)) return
    const cancel = this.#needs.clock.after(settleMs, () => {
      this.#due.delete(list)
      this.get(list).then(
        (entries) => this.#needs.onChanged(list, entries),
        () => {},
      )
    })
    this.#due.set(list, cancel)
  }

  close(): void {
    for (const cancel of this.#due.values()) cancel()
    this.#due.clear()
    this.#kept.clear()
  }
}
