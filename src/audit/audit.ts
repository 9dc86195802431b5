import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import { recordFiles, type Database, type RecordFiles, type Store } from '../store/index.ts'
import { AuditAnchor } from './audit-anchor.ts'
import { chainEntries, linkForNext, type ChainLink, type ChainRow } from './audit-chain.ts'
import type { AuditEntry, AuditSink } from './audit-entry.ts'
import { redactEntry, type KeptEntry } from './redact-entry.ts'
import { RowQueries, holds, readRows } from './row-queries.ts'
import { ChainCheck, type Verification } from './verify-chain.ts'

/** An entry of the log with its place in the chain. */
export type AuditRecord = KeptEntry & Omit<ChainRow, 'entry'>

export interface AuditLogOptions {
  readonly store: Store
  /** Where the head of the chain is kept: a file beside the database, never in it. */
  readonly anchorFile: string
  readonly files?: RecordFiles | undefined
  readonly now?: (() => number) | undefined
}

interface Waiting {
  readonly entry: KeptEntry
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

const BATCH = 200
/** Milliseconds: whoever waited for an entry, and whoever waits for them, goes first. */
const PAUSE = 5
const PAGE = 500

/**
 * The audit log: append-only, each entry chained to the one before by its hash, by several processes at once.
 *
 * An entry is written in one transaction. Once it is on the disk `append` resolves; the anchor file is made to name the last row together with the next entry, or in a second
 * transaction when none has come for a moment. So
 * - a crash between the two leaves rows beyond the anchor, which is no fault: they are anchored with the next entry;
 * - the anchor never runs ahead of the table, so that a table shorter than the anchor was cut;
 * - nothing can be altered or change places unseen, and nothing that is anchored can vanish unseen, unless the anchor file is rewritten too;
 * - where the anchor cannot be written, the next entry fails for it;
 * - a power cut takes no row, but perhaps the last moment of the anchor: the rows after it are anchored with the next entry.
 * Who can rewrite both files with the right hashes is not stopped: the log shows tampering with one, it does not prevent it.
 */
export class AuditLog implements AuditSink {
  readonly #store: Store
  readonly #anchor: AuditAnchor
  readonly #now: () => number
  readonly #queries = new RowQueries()
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #endPause = (): void => {}
  /** The last row that we wrote, until the anchor names it or a later one. */
  #unanchored: ChainLink | undefined

  constructor({ store, anchorFile, files = recordFiles, now = Date.now }: AuditLogOptions) {
    this.#store = store
    this.#anchor = new AuditAnchor(anchorFile, files)
    this.#now = now
  }

  /** Entries of one moment, and those that come while others are written, go together, so that a burst costs little more than one. */
  append(entry: AuditEntry): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ entry: redactEntry(entry, this.#now()), done, failed })
      this.#writing ??= this.#writeWaiting()
      this.#endPause()
    })
  }

  /**
   * Entries after a position, oldest first.
   *
   * @throws ConsentryError `AUDIT_UNAVAILABLE`, or `AUDIT_BROKEN` for an entry that cannot be read any more
   */
  async list({ after = 0, limit = 100 }: { readonly after?: number | undefined; readonly limit?: number | undefined } = {}): Promise<readonly AuditRecord[]> {
    const rows = await guard(this.#store.read((database) => readRows(database, after, limit)))
    return rows.map(readRecord)
  }

  /** Entries before a position, newest first; without a position from the newest on. @throws ConsentryError as `list` */
  async page({ before, limit = 100 }: { readonly before?: number | undefined; readonly limit?: number | undefined } = {}): Promise<readonly AuditRecord[]> {
    const rows = await guard(
      this.#store.read((database) => {
        const newest = database.selectFrom('audit_entries').selectAll().orderBy('position', 'desc').limit(limit)
        return (before === undefined ? newest : newest.where('position', '<', before)).execute()
      }),
    )
    return rows.map(readRecord)
  }

  /** Every entry, oldest first. @throws ConsentryError as `list` */
  async *export(): AsyncGenerator<AuditRecord, void, undefined> {
    let after = 0
    for (;;) {
      const records = await this.list({ after, limit: PAGE })
      yield* records
      const last = records.at(-1)
      if (last === undefined) return
      after = last.position
    }
  }

  /** Whether there is room for the next entry, and for the anchor: as much is written and taken out again. @throws ConsentryError `AUDIT_UNAVAILABLE` */
  async tryWriting(): Promise<void> {
    const row = { position: -1, entry: ' '.repeat(4096), previous: '', hash: '' }
    await guard(
      this.#store.write(async (transaction) => {
        this.#anchorLast(await this.#queries.last(transaction))
        await transaction.insertInto('audit_entries').values(row).execute()
        await transaction.deleteFrom('audit_entries').where('position', '=', row.position).execute()
      }),
    )
  }

  /** Checks the whole chain, up to what is there when it begins. @throws ConsentryError `AUDIT_UNAVAILABLE` */
  async verify(): Promise<Verification> {
    // No one can write between the reading of the anchor and of the last row.
    const { anchor, last } = await guard(
      this.#store.write(async (transaction) => ({ anchor: this.#anchor.read(), last: await this.#queries.last(transaction) })),
    )
    const check = new ChainCheck(anchor)
    let page = await this.#page(undefined)
    while (page.length > 0) {
      for (const row of page) if (last === undefined || row.position > last.position || !check.add(row)) return check.finish()
      page = await this.#page(page.at(-1)?.position)
    }
    return check.finish()
  }

  /** Waits until all that was acknowledged is anchored: before the store is closed. Safe to call twice. */
  async close(): Promise<void> {
    this.#endPause()
    await this.#writing
    this.#anchor.close()
  }

  #page(after: number | undefined): Promise<readonly ChainRow[]> {
    return guard(this.#store.read((database) => readRows(database, after, PAGE)))
  }

  async #writeWaiting(): Promise<void> {
    do {
      await nextMoment()
      while (this.#waiting.length > 0) {
        await this.#acknowledge(this.#waiting.splice(0, BATCH))
        await nextMoment()
      }
      await this.#pause()
      // What waits by now is anchored together with it.
      if (this.#waiting.length === 0) await this.#anchorWritten()
    } while (this.#waiting.length > 0)
    this.#writing = undefined
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = setTimeout(resolve, PAUSE)
      this.#endPause = () => {
        clearTimeout(end)
        resolve()
      }
    })
  }

  async #acknowledge(batch: readonly Waiting[]): Promise<void> {
    try {
      const written = await guard(this.#store.write((transaction) => this.#write(transaction, batch)))
      this.#unanchored = written
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  async #anchorWritten(): Promise<void> {
    try {
      // In a transaction, so that no anchor can take the place of a later one.
      await this.#store.write(async (transaction) => this.#anchorLast(await this.#queries.last(transaction)))
    } catch {
      // The next entry is not written before this one is anchored, and fails for whatever is in the way.
    }
  }

  async #write(transaction: Database, batch: readonly Waiting[]): Promise<ChainLink> {
    const last = await this.#queries.last(transaction)
    const anchor = this.#anchorLast(last) ?? this.#anchor.read()
    const link = linkForNext(
      anchor,
      last,
      anchor !== undefined && ((anchor.position === last?.position && anchor.hash === last.hash) || (await holds(transaction, anchor))),
    )
    // Before the first row there is an anchor, so that rows without one have lost it.
    if (anchor === undefined) this.#anchor.write(link)
    const rows = chainEntries(
      link,
      batch.map(({ entry }) => entry),
    )
    for (const row of rows) await this.#queries.insert(transaction, row)
    return rows.at(-1) ?? link
  }

  /** Has the anchor name what we wrote, or what others wrote since. @returns undefined where there was nothing to do */
  #anchorLast(last: ChainLink | undefined): ChainLink | undefined {
    const written = this.#unanchored
    if (written === undefined) return undefined
    const anchor = last !== undefined && last.position >= written.position ? last : written
    this.#anchor.write(anchor)
    this.#unanchored = undefined
    return anchor
  }
}

function nextMoment(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function readRecord({ entry, ...link }: ChainRow): AuditRecord {
  try {
    const value: unknown = JSON.parse(entry)
    if (isJsonObject(value)) return { ...(value as unknown as KeptEntry), ...link }
  } catch {
    // Told below, as any other entry that is none.
  }
  throw new ConsentryError('AUDIT_BROKEN', `Entry ${link.position} of the audit log cannot be read: it was altered; run "consentry audit verify"`, {
    data: { position: link.position },
  })
}

async function guard<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (cause) {
    throw new ConsentryError('AUDIT_UNAVAILABLE', `The audit log cannot be used, so that nothing is answered: ${(cause as Error).message}`, { cause })
  }
}
