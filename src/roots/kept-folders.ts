import type { FieldFault, Origin, Phrase, Remembrance, Reviewer, ReviewSubjects, Settlement } from '../protocol/index.ts'
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
  /** What was done: as the user said, or an empty folder was told in place of none. */
  readonly done: KeptChoice | 'nothing'
  /** What could not be done, and why. */
  readonly fault?: KeptFoldersFault | undefined
}

export interface KeptFoldersFault {
  /** Nobody could be asked; no empty folder could be told; a choice holds for this time only. */
  readonly of: 'asking' | 'stand-in' | 'remembering'
  readonly message: string
}

export interface KeptFoldersOptions {
  /** Calls back after so many milliseconds. @returns the function that prevents it */
  readonly after: (milliseconds: number, action: () => void) => () => void
  /** An empty folder that can be told in place of none; absent where there is none. */
  readonly standIn?:
    | {
        /** Never rejects. @returns why it cannot be told */
        readonly prepare: () => Promise<Phrase | undefined>
        /** @throws ConsentryError `STORE_UNAVAILABLE`, where it is to be remembered */
        readonly tell: (remember?: Remembrance) => Promise<void>
      }
    | undefined
  /** Has the server started afresh. */
  readonly restart: () => void
  /** Told of what nobody was asked about, and of what could not be done; after it was done. */
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
  /** What could not be done, as it was reported last. */
  #reported: string | undefined
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

  /** Whatever goes wrong here is this server's matter: never rejects. */
  async #settle(reason: Reason, known: readonly string[]): Promise<void> {
    try {
      if (!(await this.#settleWithPerson(reason, known))) await this.#settleAlone(reason, known)
    } catch (error) {
      await this.#settleAlone(reason, known, faultOf('asking')(error))
    }
  }

  /** @returns false where nobody could be asked, or what they said before cannot be done */
  async #settleWithPerson(reason: Reason, known: readonly string[]): Promise<boolean> {
    const reader = this.#reader
    if (!reader || this.#closing.signal.aborted) return true
    const said = this.#options.remembered()
    if (said && this.#findFault(said, reason, reader) === undefined && (await this.#act(said)) === undefined) {
      this.#options.report({ reason, known, done: said })
      return true
    }
    if (this.#review) return true
    return reader.reviewer.canReview('kept-folders', reader.origin.server) && (await this.#ask(reason, known, reader)) !== 'nobody'
  }

  /** Nobody can be asked: what was taken back is taken back all the same, as far as nothing is ended for it. Where that fails, the next time that the list is read tries again. */
  async #settleAlone(reason: Reason, known: readonly string[], notAsked?: KeptFoldersFault): Promise<void> {
    if (this.#closing.signal.aborted) return
    const canStandIn = reason === 'none-told' && this.#options.standIn !== undefined
    const notTold = canStandIn ? await this.#act('stand-in') : undefined
    const isDone = canStandIn && notTold === undefined
    if (reason === 'none-told' && notTold && this.#isToldNone) this.#known = known
    const fault = notTold ?? notAsked
    const isNews = isDone || fault === undefined || fault.message !== this.#reported
    this.#reported = isDone ? undefined : fault?.message
    if (isNews) this.#options.report({ reason, known, done: isDone ? 'stand-in' : 'nothing', ...(fault && { fault }) })
  }

  /** @returns how the review ended; `nobody` too where what was decided could not be done, and no person can be asked again */
  async #ask(reason: Reason, known: readonly string[], reader: ListReader): Promise<Settlement<'kept-folders'>['outcome']> {
    const { origin, reviewer } = reader
    const review = (this.#review = new AbortController())
    this.#reviewed = reason
    const subject = { reason, known, canRestart: origin.canRestart === true }
    const check = async ({ action }: { readonly action: KeptChoice | 'cancel' }): Promise<readonly FieldFault[]> => {
      if (action === 'cancel') return []
      const fault = this.#findFault(action, reason, reader) ?? (action === 'stand-in' ? await this.#options.standIn?.prepare() : undefined)
      return fault ? [{ field: 'action', problem: fault.key, facts: fault.facts, message: fault.sentence }] : []
    }
    const settlement = await reviewer
      .review({ kind: 'kept-folders', origin, subject, draft: undefined, check }, AbortSignal.any([this.#closing.signal, review.signal]))
      .finally(() => (this.#review = this.#reviewed = undefined))
    if (settlement.outcome !== 'decided' || settlement.decision.action === 'cancel') return settlement.outcome
    const { action, remember } = settlement.decision
    const fault = await this.#act(action, remember)
    if (fault?.of !== 'stand-in') {
      if (fault) this.#options.report({ reason, known, done: action, fault })
      return settlement.outcome
    }
    return settlement.by === 'person' && !this.#closing.signal.aborted ? this.#ask(reason, known, reader) : 'nobody'
  }

  /** What cannot be remembered is done all the same. Never rejects. @returns what could not be done */
  async #act(choice: KeptChoice, remember?: Remembrance): Promise<KeptFoldersFault | undefined> {
    const { standIn, restart } = this.#options
    const why = choice === 'stand-in' ? await standIn?.prepare() : undefined
    if (why) return { of: 'stand-in', message: why.sentence }
    const keeping = remember && (choice === 'stand-in' ? standIn?.tell(remember) : this.#options.remember(choice, remember))
    const fault = await keeping?.then(() => undefined, faultOf('remembering'))
    if (choice === 'leave') {
      this.#isLeft = true
      this.#left = this.#now
    } else if (choice === 'restart') {
      if (this.#fixed) this.#fixed = this.#now
      restart()
    } else if (!keeping || fault) return (await standIn?.tell().then(() => undefined, faultOf('stand-in'))) ?? fault
    return fault
  }

  #findFault(choice: KeptChoice, reason: Reason, { origin }: ListReader): Phrase | undefined {
    const isPossible = choice === 'stand-in' ? reason === 'none-told' && this.#options.standIn !== undefined : choice === 'leave' || origin.canRestart === true
    return isPossible ? undefined : rootPhrase('not-possible', {})
  }
}

function faultOf(of: KeptFoldersFault['of']): (error: unknown) => KeptFoldersFault {
  return (error) => ({ of, message: error instanceof Error ? error.message : String(error) })
}
