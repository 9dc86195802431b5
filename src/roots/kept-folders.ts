import type { FieldFault, Origin, Remembrance, Reviewer, ReviewSubjects, Settlement } from '../protocol/index.ts'
import type { FolderState } from './consented-folder.ts'
import { rootPhrase } from './root-phrase.ts'

/** What is done about a server that goes on in folders that it was told before. */
export type KeptChoice = 'stand-in' | 'restart' | 'leave'

/** Who read the list, and who can be asked about it. */
export interface ListReader {
  readonly origin: Origin
  readonly reviewer: Reviewer
}

/** A server goes on in folders that it should know no longer, or without some that it may know, and nobody was there to ask what is to be done. */
export interface KeptFoldersReport {
  /** `gone`: none of its folders is there; they were not taken back. */
  readonly reason: Reason | 'gone'
  /** The URIs that it was told last. */
  readonly known: readonly string[]
  /** What was done: as the user said before, or an empty folder was told in place of none. */
  readonly done: KeptChoice | 'nothing'
}

export interface KeptFoldersOptions {
  /** Calls back after so many milliseconds. @returns the function that prevents it */
  readonly after: (milliseconds: number, action: () => void) => () => void
  /** Has an empty folder told in place of none; absent where there is no such folder. @throws ConsentryError `STORE_UNAVAILABLE` */
  readonly tellStandIn?: ((remember?: Remembrance) => Promise<void>) | undefined
  /** Has the server started afresh. */
  readonly restart: () => void
  /** Told of what nobody was asked about. */
  readonly report: (found: KeptFoldersReport) => void
  /** What a person had remembered for this server, or the user said for this run. */
  readonly remembered: () => KeptChoice | undefined
  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  readonly remember: (choice: KeptChoice, remember: Remembrance) => Promise<void>
}

type Reason = ReviewSubjects['kept-folders']['reason']

/** A server that reads its list again when it has changed does so within this time. */
const REREAD_MS = 3000

/** The folders that a server can work in, by path, as it is told of them. */
function reachable(states: readonly FolderState[]): ReadonlyMap<string, string> {
  return new Map(states.filter(({ status }) => status === 'ok').map(({ path, uri }) => [path, uri ?? path]))
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one.keys()].every((path) => other.has(path))
}

/**
 * Sees to it that what was taken away, or given late, takes effect with servers of the legacy era that do not listen: one that was told folders and is
 * told none now may keep them, and one that was told of a change and does not read its list goes on with the old one. A person says what is done about
 * it, or has said so before. Over one connection the same is asked once; of a server that has its folders from its start, what it would be given next is not the same.
 */
export class KeptFolders {
  readonly #options: KeptFoldersOptions
  readonly #closing = new AbortController()
  #reader: ListReader | undefined
  #reads = 0
  #known: readonly string[] = []
  /** Its last list was empty. */
  #isToldNone = false
  #isLeft = false
  /** What it was started with, by path; undefined where it is told its folders later. */
  #fixed: ReadonlyMap<string, string> | undefined
  /** What it would be given if it were started now. */
  #now: ReadonlyMap<string, string> = new Map()
  /** What it would have been given when a person left it as it was. */
  #left: ReadonlyMap<string, string> | undefined
  #review: AbortController | undefined
  #reviewed: Reason | undefined
  #cancelTimer: () => void = () => undefined

  constructor(options: KeptFoldersOptions) {
    this.#options = options
  }

  /** The server has read its list. @param isRevoked nothing is told any more, because the last consent was taken back */
  told(uris: readonly string[], reader: ListReader, { isRevoked }: { readonly isRevoked: boolean }): void {
    this.#cancelTimer()
    if (this.#reviewed !== 'at-start') this.#review?.abort(new Error('the server has read its folders'))
    this.#reader = reader.origin.era === 'legacy' || this.#fixed ? reader : undefined
    this.#reads += 1
    const wasToldNone = this.#isToldNone
    this.#isToldNone = uris.length === 0
    if (!this.#isToldNone) this.#known = uris
    else if (isRevoked) this.revoked()
    else if (!wasToldNone && this.#known.length > 0 && this.#reader && !this.#fixed)
      this.#options.report({ reason: 'gone', known: this.#known, done: 'nothing' })
  }

  /** Nothing is left that could be told again. Where the server was told none before that, because what it knew was gone, it hears of no change. */
  revoked(): void {
    const known = this.#known
    if (!this.#isToldNone || known.length === 0 || this.#fixed) return
    this.#known = []
    void this.#settle('none-told', known)
  }

  /** The list is again what the server knows. */
  restored(): void {
    this.#cancelTimer()
  }

  /** The server is told that its list has changed. */
  announced(): void {
    this.#cancelTimer()
    if (this.#closing.signal.aborted || this.#isLeft || this.#fixed || !this.#isReader()) return
    this.#cancelTimer = this.#options.after(REREAD_MS, () => void this.#settle('never-reread', this.#known))
  }

  /**
   * The server was started with these folders, and has no more until it is started afresh. What has changed since then is no less a change.
   *
   * @param start by path
   */
  fix(states: readonly FolderState[], reader: ListReader, start: ReadonlyMap<string, string>): void {
    this.#reader ??= reader
    this.#fixed = this.#now = start
    this.changed(states)
  }

  /** What can be told is another list. A folder that is only gone is no reason to start a server afresh. */
  changed(states: readonly FolderState[]): void {
    const fixed = this.#fixed
    if (fixed === undefined) return
    this.#now = reachable(states)
    if (this.#left && isSame(this.#left, this.#now)) return
    const consented = new Set(states.filter(({ status }) => status !== 'replaced').map(({ path }) => path))
    const isOther = [...this.#now.keys()].some((path) => !fixed.has(path)) || [...fixed.keys()].some((path) => !consented.has(path))
    if (isOther) void this.#settle('at-start', [...fixed.values()])
    else if (this.#reviewed === 'at-start') this.#review?.abort(new Error('its folders are again those that it was started with'))
  }

  /** Asks nothing any more. Safe to call twice. */
  close(): void {
    this.#cancelTimer()
    this.#closing.abort(new Error('the connection was closed'))
  }

  /** One that reads its list in the middle of each call reads it again with the next one. */
  #isReader(): boolean {
    return this.#reader !== undefined && (this.#reader.origin.call === undefined || this.#reads === 1)
  }

  async #settle(reason: Reason, known: readonly string[]): Promise<void> {
    const reader = this.#reader
    if (!reader || this.#closing.signal.aborted) return
    const { remembered, report } = this.#options
    const said = remembered()
    if (said && this.#findFault(said, reason, reader) === undefined) {
      report({ reason, known, done: said })
      return this.#act(said)
    }
    if (this.#review) return
    const outcome = reader.reviewer.canReview('kept-folders', reader.origin.server) ? await this.#ask(reason, known, reader) : 'nobody'
    if (outcome === 'nobody' && !this.#closing.signal.aborted) await this.#settleAlone(reason, known)
  }

  /** Nobody can be asked: what was taken back is taken back all the same, as far as nothing is ended for it. */
  async #settleAlone(reason: Reason, known: readonly string[]): Promise<void> {
    const canStandIn = reason === 'none-told' && this.#options.tellStandIn !== undefined
    this.#options.report({ reason, known, done: canStandIn ? 'stand-in' : 'nothing' })
    if (canStandIn) await this.#act('stand-in')
  }

  /** @returns how the review ended */
  async #ask(reason: Reason, known: readonly string[], reader: ListReader): Promise<Settlement<'kept-folders'>['outcome']> {
    const { origin, reviewer } = reader
    const review = (this.#review = new AbortController())
    this.#reviewed = reason
    const subject = { reason, known, canRestart: origin.canRestart === true }
    const check = async ({ action }: { readonly action: KeptChoice | 'cancel' }): Promise<readonly FieldFault[]> => {
      const fault = action === 'cancel' ? undefined : this.#findFault(action, reason, reader)
      return fault ? [fault] : []
    }
    const settlement = await reviewer
      .review({ kind: 'kept-folders', origin, subject, draft: undefined, check }, AbortSignal.any([this.#closing.signal, review.signal]))
      .finally(() => (this.#review = this.#reviewed = undefined))
    if (settlement.outcome !== 'decided' || settlement.decision.action === 'cancel') return settlement.outcome
    const { action, remember } = settlement.decision
    // What cannot be remembered is done all the same.
    if (remember && action !== 'stand-in') await this.#options.remember(action, remember).catch(() => undefined)
    await this.#act(action, remember)
    return settlement.outcome
  }

  async #act(choice: KeptChoice, remember?: Remembrance): Promise<void> {
    if (choice === 'leave') {
      this.#isLeft = true
      this.#left = this.#now
    } else if (choice === 'restart') {
      if (this.#fixed) this.#fixed = this.#now
      this.#options.restart()
    } else await this.#options.tellStandIn?.(remember)?.catch(() => this.#options.tellStandIn?.())
  }

  #findFault(choice: KeptChoice, reason: Reason, { origin }: ListReader): FieldFault | undefined {
    const isPossible =
      choice === 'stand-in' ? reason === 'none-told' && this.#options.tellStandIn !== undefined : choice === 'leave' || origin.canRestart === true
    return isPossible ? undefined : { field: 'action', problem: 'not-possible', message: rootPhrase('not-possible', {}).sentence }
  }
}
