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
import { LastFolders } from './last-folders.ts'
import { rootPhrase } from './root-phrase.ts'
import { StartFolders } from './start-folders.ts'

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
  /** Has it ended, where it could not be started afresh. */
  readonly end: () => void
  /** Told of what was found and done; after it was done, and while a person is asked what else is to be. */
  readonly report: (found: KeptFoldersReport) => void
  /** Told what the server knew before its last folder was taken back, as long as nobody has said what else is done; and nothing from then on. */
  readonly undecided: (known: readonly string[] | undefined) => void
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
  readonly #last: LastFolders
  #isLeft = false
  readonly #start = new StartFolders()
  /** A fresh start that was asked for, and why. */
  #restart: { readonly reason: KeptReason; readonly known: readonly string[] } | undefined
  /** Why the last one could not be done, until somebody says what else is done. */
  #failed: string | undefined
  #review: { readonly subject: Subject; readonly stop: AbortController } | undefined
  /** A person wants the empty folder to be told whenever there is no other. */
  #isStandInWanted = false
  /** What could not be done, as it was reported last. */
  #reported: string | undefined
  #cancelTimer: () => void = () => undefined

  constructor(options: KeptFoldersOptions) {
    this.#options = options
    this.#last = new LastFolders(options.undecided)
  }

  /** The server has read its list. */
  told(uris: readonly string[], reader: ListReader, { isRevoked, isStandIn }: ListRead): void {
    this.#cancelTimer()
    this.#reader = reader.origin.era === 'legacy' || this.#isFixed ? reader : undefined
    this.#reads += 1
    const hasFolders = uris.length > 0 && !isStandIn
    const reviewed = this.#review?.subject.reason
    if (reviewed === 'never-reread' || (reviewed === 'none-told' && hasFolders)) this.#withdraw('the server has read its folders')
    const wasToldNone = this.#last.isNone
    this.#last.tell(hasFolders ? uris : [])
    if (hasFolders) {
      if (!this.#isStandInWanted) this.#options.standIn?.end()
    } else if (isRevoked || this.#last.isDue) this.revoked()
    else if (!isStandIn && !wasToldNone && this.#last.isOpen && this.#reader && !this.#isFixed)
      this.#options.report({ reason: 'gone', known: this.#last.known, done: 'nothing', isAsked: false })
  }

  /** The server was told these folders before anybody here knew of it. @param undecided see `ConnectionOrigin` */
  resume(uris: readonly string[], reader: ListReader, undecided: readonly string[] | undefined): void {
    this.#reader ??= reader
    this.#last.resume(uris, undecided)
  }

  /** Nothing is left that could be told again. Where the server was told none before that, because what it knew was gone, it hears of no change. */
  revoked(): void {
    const { isOpen, known } = this.#last
    if (!isOpen || !this.#reader || this.#isFixed) return
    this.#last.ask(known)
    void this.#settle('none-told', known)
  }

  /** The list is again what the server knows. */
  restored(): void {
    this.#cancelTimer()
  }

  /** The server is told that its list has changed. */
  announced(): void {
    this.#cancelTimer()
    if (this.#closing.signal.aborted || this.#isLeft || this.#isFixed || !this.#isReader()) return
    this.#cancelTimer = this.#options.after(REREAD_MS, () => void this.#settle('never-reread', this.#last.known))
  }

  /**
   * The server was started with these folders, and has no more until it is started afresh. What has changed since then is no less a change.
   *
   * @param start by path
   */
  fix(states: readonly FolderState[], reader: ListReader | undefined, start: ReadonlyMap<string, string>): void {
    this.#reader ??= reader
    this.#start.give(start)
    this.changed(states)
  }

  /** What can be told is another list. */
  changed(states: readonly FolderState[]): void {
    this.#start.see(states)
    this.#judgeStart()
  }

  /** A fresh start that was asked for was done, or could not be: then the server goes on as it was, and whoever wanted it is asked again. */
  restarted(fault: string | undefined): void {
    const asked = this.#restart
    this.#restart = undefined
    this.#failed = asked && fault
    if (asked && fault === undefined) this.#last.answer(asked.known)
    if (fault === undefined && this.#review?.subject.fault !== undefined) this.#withdraw('it was started afresh')
    if (asked === undefined || fault === undefined) return
    this.#start.takeBack()
    if (asked.reason === 'never-reread') this.#last.postpone(asked.known)
    if (asked.reason === 'at-start') this.#judgeStart('asked')
    else void this.#settle(asked.reason, asked.known, 'asked')
  }

  /** Asks nothing any more. Safe to call twice. */
  close(): void {
    this.#cancelTimer()
    this.#closing.abort(new Error('the connection was closed'))
  }

  /** It was given its folders when it was started. */
  get #isFixed(): boolean {
    return this.#start.uris !== undefined
  }

  #judgeStart(how?: 'asked'): void {
    const { uris, isOther, isLeft } = this.#start
    if (uris === undefined || isLeft) return
    if (isOther) return void this.#settle('at-start', uris, how)
    this.#reported = undefined
    if (this.#review?.subject.reason === 'at-start') this.#withdraw('its folders are again those that it was started with')
  }

  /** One that reads its list in the middle of each call reads it again with the next one. */
  #isReader(): boolean {
    if (this.#reader === undefined) return false
    const { call, isInCall } = this.#reader.origin
    return (call === undefined && isInCall !== true) || this.#reads === 1
  }

  /**
   * Whatever goes wrong here is this server's matter: never rejects.
   *
   * @param how `asked`: what was said beforehand was not enough, and is not done once more
   */
  async #settle(reason: KeptReason, known: readonly string[], how?: 'asked'): Promise<void> {
    const reader = this.#reader
    if (!reader || this.#closing.signal.aborted || (how !== 'asked' && (await this.#doAsSaid(reason, known, reader)))) return
    const canStandIn = reason === 'none-told' && this.#options.standIn !== undefined
    const fault = canStandIn ? await this.#act('stand-in', { reason, known }) : undefined
    // Meanwhile it may have been told others.
    if (this.#closing.signal.aborted || (reason !== 'at-start' && known !== this.#last.known)) return
    // The next time that the list is read tries again.
    if (fault) this.#last.postpone(known)
    const done = canStandIn && !fault ? 'stand-in' : 'nothing'
    const failed = this.#failed
    const why: KeptFoldersFault | undefined = fault ?? (failed === undefined ? undefined : { of: 'restart', message: failed })
    const found = { reason, known, done, ...(why && { fault: why }) } as const
    const shown = this.#review?.subject
    if (shown?.reason === reason && shown.done === done && shown.fault === failed) return
    try {
      const isAsked = reader.reviewer.canReview('kept-folders', reader.origin.server)
      this.#report({ ...found, isAsked })
      const subject = { reason, known, canRestart: reader.origin.canRestart === true, done, ...(failed !== undefined && { fault: failed }) } as const
      if (isAsked && (await this.#ask(subject, reader)) === 'nobody') this.#report({ ...found, isAsked: false })
    } catch (error) {
      this.#report({ ...found, isAsked: false, fault: why ?? faultOf('asking')(error) })
    }
  }

  /** @returns false where nothing was said beforehand, or what was cannot be done */
  async #doAsSaid(reason: KeptReason, known: readonly string[], reader: ListReader): Promise<boolean> {
    const said = this.#options.remembered()
    if (!said || this.#findFault(said, { reason, done: 'nothing' }, reader) || (await this.#act(said, { reason, known }))) return false
    if (said === 'stand-in') this.#last.answer(known)
    this.#report({ reason, known, done: said, isAsked: false })
    return true
  }

  /** The same fault is told once, and so is what there is nobody to ask about a server that has its folders from its start. */
  #report(found: KeptFoldersReport): void {
    if (this.#closing.signal.aborted) return
    const isLeftSo = found.reason === 'at-start' && found.done === 'nothing' && !found.isAsked
    const same = found.fault ? `${found.isAsked} ${found.fault.message}` : isLeftSo ? found.known.join(' ') : undefined
    if (same === undefined || same !== this.#reported) this.#options.report(found)
    this.#reported = same
  }

  #withdraw(why: string): void {
    this.#review?.stop.abort(new Error(why))
    this.#review = undefined
  }

  /** @returns how the review ended; `nobody` too where what was decided could not be done, and no person can be asked again */
  async #ask(subject: Subject, reader: ListReader): Promise<Settlement<'kept-folders'>['outcome']> {
    if (this.#review?.subject.reason === 'none-told' && subject.reason === 'never-reread') this.#last.postpone(subject.known)
    this.#withdraw('there is more to ask about this server')
    const { origin, reviewer } = reader
    const review = (this.#review = { subject, stop: new AbortController() })
    const check = async ({ action }: { readonly action: KeptChoice | 'end' | 'cancel' }): Promise<readonly FieldFault[]> => {
      if (action === 'cancel') return []
      const fault = this.#findFault(action, subject, reader) ?? (action === 'stand-in' ? await this.#options.standIn?.prepare() : undefined)
      return fault ? [{ field: 'action', problem: fault.key, facts: fault.facts, message: fault.sentence }] : []
    }
    const settlement = await reviewer
      .review({ kind: 'kept-folders', origin, subject, draft: undefined, check }, AbortSignal.any([this.#closing.signal, review.stop.signal]))
      .finally(() => {
        if (this.#review === review) this.#review = undefined
      })
    if (settlement.outcome !== 'decided') return settlement.outcome
    if (settlement.decision.action === 'cancel') {
      if (subject.reason === 'none-told') this.#last.answer(subject.known)
      return settlement.outcome
    }
    if (settlement.decision.action === 'end') {
      this.#options.end()
      return settlement.outcome
    }
    const { action, remember } = settlement.decision
    const fault = await this.#act(action, subject, remember)
    if (action === 'stand-in') this.#isStandInWanted = fault === undefined
    if (fault?.of !== 'stand-in') {
      if (action === 'stand-in') this.#last.answer(subject.known)
      if (fault) this.#report({ reason: subject.reason, known: subject.known, done: action, isAsked: false, fault })
      return settlement.outcome
    }
    return settlement.by === 'person' && !this.#closing.signal.aborted ? this.#ask(subject, reader) : 'nobody'
  }

  /** What cannot be remembered is done all the same. Never rejects. @returns what could not be done */
  async #act(choice: KeptChoice, { reason, known }: Pick<Subject, 'reason' | 'known'>, remember?: Remembrance): Promise<KeptFoldersFault | undefined> {
    const { standIn, restart } = this.#options
    const why = choice === 'stand-in' ? await standIn?.prepare() : undefined
    if (why) return { of: 'stand-in', message: why.sentence }
    const keeping = remember && (choice === 'stand-in' ? standIn?.tell(remember) : this.#options.remember(choice, remember))
    const fault = await keeping?.then(() => undefined, faultOf('remembering'))
    if (choice === 'leave') {
      this.#isLeft = true
      this.#last.answer(known)
      this.#failed = undefined
      this.#start.leave()
    } else if (choice === 'restart') {
      this.#failed = undefined
      this.#restart = { reason, known }
      this.#start.assumeFresh()
      // Until it is said what came of that nobody is asked again.
      this.#last.ask(known)
      standIn?.end()
      this.#isStandInWanted = false
      restart()
    } else if (!keeping || fault) return (await standIn?.tell().then(() => undefined, faultOf('stand-in'))) ?? fault
    return fault
  }

  #findFault(choice: KeptChoice | 'end', { reason, done, fault }: Pick<Subject, 'reason' | 'done' | 'fault'>, { origin }: ListReader): Phrase | undefined {
    const isPossible = {
      'stand-in': reason === 'none-told' && this.#options.standIn !== undefined,
      restart: origin.canRestart === true,
      leave: done === 'nothing',
      end: fault !== undefined,
    }[choice]
    return isPossible ? undefined : rootPhrase('not-possible', {})
  }
}

function faultOf(of: KeptFoldersFault['of']): (error: unknown) => KeptFoldersFault {
  return (error) => ({ of, message: error instanceof Error ? error.message : String(error) })
}
