import type {
  FieldFault,
  KeptChoice,
  KeptFoldersFault,
  KeptFoldersReport,
  KeptReason,
  Origin,
  Phrase,
  Remembrance,
  Reviewer,
  ReviewSubjects,
  Settlement,
} from '../protocol/index.ts'
import type { FolderState } from './consented-folder.ts'
import { rootPhrase } from './root-phrase.ts'

/** Who read the list, and who can be asked about it. */
export interface ListReader {
  readonly origin: Origin
  readonly reviewer: Reviewer
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
        /** It is told no longer, unless that was remembered. */
        readonly end: () => void
      }
    | undefined
  /** Has the server started afresh. */
  readonly restart: () => void
  /** Told of what was found and done; after it was done, and while a person is asked what else is to be. */
  readonly report: (found: KeptFoldersReport) => void
  /** What a person had remembered for this server, or the user said for this run. */
  readonly remembered: () => KeptChoice | undefined
  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  readonly remember: (choice: KeptChoice, remember: Remembrance) => Promise<void>
}

type Subject = ReviewSubjects['kept-folders']

/** A server that has read its list. */
export interface ListRead {
  /** Nothing is told any more, because the last consent was taken back. */
  readonly isRevoked: boolean
  /** What was told is the empty folder in place of none. */
  readonly isStandIn: boolean
}

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
 * told none now may keep them, and one that was told of a change and does not read its list goes on with the old one.
 *
 * Whoever could be asked may be away: an empty folder takes the place of the last one at once, and then a person says what else is done, or has said so
 * before. Over one connection the same is asked once; of a server that has its folders from its start, what it would be given next is not the same.
 */
export class KeptFolders {
  readonly #options: KeptFoldersOptions
  readonly #closing = new AbortController()
  #reader: ListReader | undefined
  #reads = 0
  #known: readonly string[] = []
  /** Its last list was empty. */
  #isToldNone = false
  /** What it knew was taken back, and that has been seen to. */
  #isSettled = false
  #isLeft = false
  /** What it was started with, by path; undefined where it is told its folders later. */
  #fixed: ReadonlyMap<string, string> | undefined
  /** What it would be given if it were started now. */
  #now: ReadonlyMap<string, string> = new Map()
  /** What it would have been given when a person left it as it was. */
  #left: ReadonlyMap<string, string> | undefined
  #review: { readonly subject: Subject; readonly stop: AbortController } | undefined
  /** A person wants the empty folder to be told whenever there is no other. */
  #isStandInWanted = false
  /** What could not be done, as it was reported last. */
  #reported: string | undefined
  #cancelTimer: () => void = () => undefined

  constructor(options: KeptFoldersOptions) {
    this.#options = options
  }

  /** The server has read its list. */
  told(uris: readonly string[], reader: ListReader, { isRevoked, isStandIn }: ListRead): void {
    this.#cancelTimer()
    this.#reader = reader.origin.era === 'legacy' || this.#fixed ? reader : undefined
    this.#reads += 1
    const hasFolders = uris.length > 0 && !isStandIn
    const reviewed = this.#review?.subject.reason
    if (reviewed === 'never-reread' || (reviewed === 'none-told' && hasFolders)) this.#withdraw('the server has read its folders')
    const wasToldNone = this.#isToldNone
    this.#isToldNone = uris.length === 0
    if (hasFolders) {
      this.#known = uris
      this.#isSettled = false
      if (!this.#isStandInWanted) this.#options.standIn?.end()
    } else if (isRevoked) this.revoked()
    else if (!isStandIn && !wasToldNone && !this.#isSettled && this.#known.length > 0 && this.#reader && !this.#fixed)
      this.#options.report({ reason: 'gone', known: this.#known, done: 'nothing', isAsked: false })
  }

  /** The server was told these folders before anybody here knew of it. */
  resume(uris: readonly string[], reader: ListReader): void {
    this.#reader ??= reader
    this.#known = uris
  }

  /** Nothing is left that could be told again. Where the server was told none before that, because what it knew was gone, it hears of no change. */
  revoked(): void {
    if (!this.#isToldNone || this.#isSettled || this.#known.length === 0 || this.#fixed) return
    this.#isSettled = true
    void this.#settle('none-told', this.#known)
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
    else if (this.#review?.subject.reason === 'at-start') this.#withdraw('its folders are again those that it was started with')
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
  async #settle(reason: KeptReason, known: readonly string[]): Promise<void> {
    const reader = this.#reader
    if (!reader || this.#closing.signal.aborted || (await this.#doAsSaid(reason, known, reader))) return
    const canStandIn = reason === 'none-told' && this.#options.standIn !== undefined
    const fault = canStandIn ? await this.#act('stand-in') : undefined
    // Meanwhile it may have been told others.
    if (this.#closing.signal.aborted || (reason !== 'at-start' && known !== this.#known)) return
    // The next time that the list is read tries again.
    if (fault) this.#isSettled = false
    const done = canStandIn && !fault ? 'stand-in' : 'nothing'
    const found = { reason, known, done, ...(fault && { fault }) } as const
    if (this.#review?.subject.reason === reason && this.#review.subject.done === done) return
    try {
      const isAsked = reader.reviewer.canReview('kept-folders', reader.origin.server)
      this.#report({ ...found, isAsked })
      const subject = { reason, known, canRestart: reader.origin.canRestart === true, done } as const
      if (isAsked && (await this.#ask(subject, reader)) === 'nobody') this.#report({ ...found, isAsked: false })
    } catch (error) {
      this.#report({ ...found, isAsked: false, fault: fault ?? faultOf('asking')(error) })
    }
  }

  /** @returns false where nothing was said beforehand, or what was cannot be done */
  async #doAsSaid(reason: KeptReason, known: readonly string[], reader: ListReader): Promise<boolean> {
    const said = this.#options.remembered()
    if (!said || this.#findFault(said, { reason, done: 'nothing' }, reader) || (await this.#act(said))) return false
    this.#report({ reason, known, done: said, isAsked: false })
    return true
  }

  /** The same fault is told once. */
  #report(found: KeptFoldersReport): void {
    if (this.#closing.signal.aborted) return
    const fault = found.fault && `${found.isAsked} ${found.fault.message}`
    if (fault === undefined || fault !== this.#reported) this.#options.report(found)
    this.#reported = fault
  }

  #withdraw(why: string): void {
    this.#review?.stop.abort(new Error(why))
    this.#review = undefined
  }

  /** @returns how the review ended; `nobody` too where what was decided could not be done, and no person can be asked again */
  async #ask(subject: Subject, reader: ListReader): Promise<Settlement<'kept-folders'>['outcome']> {
    this.#withdraw('there is more to ask about this server')
    const { origin, reviewer } = reader
    const review = (this.#review = { subject, stop: new AbortController() })
    const check = async ({ action }: { readonly action: KeptChoice | 'cancel' }): Promise<readonly FieldFault[]> => {
      if (action === 'cancel') return []
      const fault = this.#findFault(action, subject, reader) ?? (action === 'stand-in' ? await this.#options.standIn?.prepare() : undefined)
      return fault ? [{ field: 'action', problem: fault.key, facts: fault.facts, message: fault.sentence }] : []
    }
    const settlement = await reviewer
      .review({ kind: 'kept-folders', origin, subject, draft: undefined, check }, AbortSignal.any([this.#closing.signal, review.stop.signal]))
      .finally(() => {
        if (this.#review === review) this.#review = undefined
      })
    if (settlement.outcome !== 'decided' || settlement.decision.action === 'cancel') return settlement.outcome
    const { action, remember } = settlement.decision
    const fault = await this.#act(action, remember)
    if (action === 'stand-in') this.#isStandInWanted = fault === undefined
    if (fault?.of !== 'stand-in') {
      if (fault) this.#report({ reason: subject.reason, known: subject.known, done: action, isAsked: false, fault })
      return settlement.outcome
    }
    return settlement.by === 'person' && !this.#closing.signal.aborted ? this.#ask(subject, reader) : 'nobody'
  }

  /** What cannot be remembered is done all the same. Never rejects. @returns what could not be done */
  async #act(choice: KeptChoice, remember?: Remembrance): Promise<KeptFoldersFault | undefined> {
    const { standIn, restart } = this.#options
    const why = choice === 'stand-in' ? await standIn?.prepare() : undefined
    if (why) return { of: 'stand-in', message: why.sentence }
    const keeping = remember && (choice === 'stand-in' ? standIn?.tell(remember) : this.#options.remember(choice, remember))
    const fault = await keeping?.then(() => undefined, faultOf('remembering'))
    if (choice === 'leave') {
      this.#isLeft = this.#isSettled = true
      this.#left = this.#now
    } else if (choice === 'restart') {
      if (this.#fixed) this.#fixed = this.#now
      standIn?.end()
      this.#isStandInWanted = false
      restart()
    } else if (!keeping || fault) return (await standIn?.tell().then(() => undefined, faultOf('stand-in'))) ?? fault
    return fault
  }

  #findFault(choice: KeptChoice, { reason, done }: Pick<Subject, 'reason' | 'done'>, { origin }: ListReader): Phrase | undefined {
    const isPossible = {
      'stand-in': reason === 'none-told' && this.#options.standIn !== undefined,
      restart: origin.canRestart === true,
      leave: done === 'nothing',
    }[choice]
    return isPossible ? undefined : rootPhrase('not-possible', {})
  }
}

function faultOf(of: KeptFoldersFault['of']): (error: unknown) => KeptFoldersFault {
  return (error) => ({ of, message: error instanceof Error ? error.message : String(error) })
}
