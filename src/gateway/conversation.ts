import type { InputObserver } from '../mcp/answer-input.ts'
import type { Clock } from '../mcp/clock.ts'
import type { AnswerCapabilities, DeskSession, InputKind } from '../protocol/index.ts'
import { KeptRequests } from '../host/kept-requests.ts'
import { Rereading } from '../mcp/rereading.ts'
import { ClientRequests } from './client-requests.ts'
import { applyEdits } from './edit.ts'
import type { Flaw } from './envelope.ts'
import { ForeignEra } from './foreign-era.ts'
import type { FreshStart } from './fresh-start.ts'
import { FromClient } from './from-client.ts'
import { FromServer } from './from-server.ts'
import { Handshake } from './handshake.ts'
import { HeldLines } from './held-lines.ts'
import type { Span } from './json-bytes.ts'
import { LazySession } from './lazy-session.ts'
import type { BegunLine, Verdict } from './line-feed.ts'
import { ModernPromise } from './modern-promise.ts'
import { OwnIds } from './own-ids.ts'
import { OwnRequests } from './own-requests.ts'
import { readIntroduction } from './read-request.ts'
import { RequiredVisits } from './required-visits.ts'
import { RootNews } from './root-news.ts'
import { RoundHandles } from './round-handles.ts'
import { Rounds } from './rounds.ts'
import { ServerQuestions } from './server-questions.ts'
import type { Owners, Wishes } from './share-features.ts'
import type { Wire } from './wire.ts'

export interface ConversationOptions {
  readonly wishes: Wishes
  /** What can be answered at this moment, as long as no session is open. */
  readonly before: () => AnswerCapabilities
  /** Opens the desk's session, when it is first needed. @param client what the client calls itself */
  readonly openSession: (client: string | undefined) => Promise<DeskSession>
  readonly observer?: InputObserver | undefined
  /** Told who answers what, whenever that is settled anew. */
  readonly onShared?: ((owners: Owners) => void) | undefined
  /** Told once, when the client has said that the handshake is over. */
  readonly onInitialized?: (() => void) | undefined
  /** Told when the server is to be started afresh. */
  readonly onRestartAsked?: (() => void) | undefined
  /** Told when the server is to be ended. */
  readonly onEndAsked?: (() => void) | undefined
  readonly clock: Clock
  /** Something that nobody can guess. */
  readonly newSecret: () => string
}

/** One client and one server: what becomes of each line that they say, and what is said in their place. */
export class Conversation {
  readonly #requests = new ClientRequests()
  readonly #session: LazySession
  readonly #questions: ServerQuestions
  readonly #handshake: Handshake
  readonly #news: RootNews
  readonly #rereading: Rereading
  readonly #held: HeldLines
  readonly #own: OwnRequests
  readonly #kept = new KeptRequests()
  readonly #wire: Wire
  readonly #clock: Clock
  readonly #fromClient: FromClient
  readonly #fromServer: FromServer

  constructor(wire: Wire, options: ConversationOptions) {
    const { wishes, before, openSession, observer, onShared, onInitialized, onRestartAsked, onEndAsked, clock, newSecret } = options
    this.#wire = wire
    this.#clock = clock
    this.#rereading = new Rereading(clock, () => this.#release())
    this.#held = new HeldLines({ wire, rereading: this.#rereading })
    const ownIds = new OwnIds(newSecret)
    this.#own = new OwnRequests({ wire, ownIds })
    this.#session = new LazySession({ before, open: openSession })
    this.#handshake = new Handshake({ session: this.#session, wishes, onShared })
    const promise = new ModernPromise({ session: this.#session, wishes, onShared })
    const shared = {
      clock,
      wire,
      requests: this.#requests,
      session: this.#session,
      handshake: this.#handshake,
      observer,
      ownIds,
      own: this.#own,
      held: this.#held,
      kept: this.#kept,
      rereading: this.#rereading,
    }
    const handles = new RoundHandles(clock, newSecret)
    this.#questions = new ServerQuestions(shared)
    const rounds = new Rounds({ ...shared, promise, handles, questions: this.#questions })
    this.#news = new RootNews(shared)
    this.#fromClient = new FromClient({ ...shared, questions: this.#questions, promise, rounds, handles })
    this.#fromServer = new FromServer({
      ...shared,
      questions: this.#questions,
      rounds,
      visits: new RequiredVisits(shared),
      foreignEra: new ForeignEra(shared),
    })
    const takeOver = (kind: InputKind): void => {
      promise.takeOver(kind)
      this.#questions.takeOver(kind)
      if (kind === 'roots') this.#news.changeHands()
    }
    this.#session.whenOpen((session) => {
      session.on('take-over-asked', takeOver)
      session.on('take-over-ended', (kind) => {
        promise.giveBack(kind)
        this.#handshake.giveBack(kind)
        if (kind === 'roots') this.#news.changeHands()
      })
      for (const kind of session.takenOver ?? []) takeOver(kind)
    })
    if (onInitialized) this.#handshake.whenOver(onInitialized)
    if (onRestartAsked) this.#session.whenOpen((session) => void session.on('restart-asked', onRestartAsked))
    if (onEndAsked) this.#session.whenOpen((session) => void session.on('end-asked', onEndAsked))
  }

  judgeClient(bytes: Buffer, line: Span, flaw: Flaw | undefined): Verdict {
    return this.#fromClient.judge(bytes, line, flaw)
  }

  judgeServer(bytes: Buffer, line: Span, flaw: Flaw | undefined): Verdict {
    return this.#fromServer.judge(bytes, line, flaw)
  }

  judgeBegunServer(bytes: Buffer): BegunLine | undefined {
    return this.#fromServer.judgeBegun(bytes)
  }

  /** Who answers what in the older era; undefined until its handshake is over. */
  get owners(): Owners | undefined {
    return this.#handshake.isOver ? this.#handshake.owners : undefined
  }

  /** Runs when the desk's session is opened. */
  onSession(callback: (session: DeskSession) => void): void {
    this.#session.whenOpen(callback)
  }

  /** Opens the desk before anything is asked: somebody has to watch the folders. */
  openDesk(): Promise<DeskSession> {
    return this.#session.open()
  }

  /** Asks the desk whether somebody answers in place of this client, before it says anything. @param line its first one */
  async introduce(line: Buffer): Promise<void> {
    this.#session.client = readIntroduction(line)
    if (this.#session.client !== undefined) await this.#session.open()
  }

  /** The server's folders are other ones now. */
  announceRoots(): void {
    this.#news.announce()
  }

  /** Calls back when no handshake is under way: at once where there is none, or it is over. */
  whenSettled(callback: () => void): void {
    if (this.#handshake.hello === undefined || this.#handshake.isOver) callback()
    else this.#handshake.whenOver(callback)
  }

  /** Whatever the client says from now on waits, so that nothing runs in a server that is to be started afresh. */
  hold(): void {
    this.#held.shut()
  }

  /** The server stays as it is. */
  goOn(): void {
    this.#held.open()
    this.#release()
  }

  /** A fresh server is about to take the place of this one. What it takes is loaded only then. */
  async freshStart(): Promise<FreshStart> {
    const { FreshStart } = await import('./fresh-start.ts')
    return new FreshStart({
      clock: this.#clock,
      wire: this.#wire,
      requests: this.#requests,
      questions: this.#questions,
      handshake: this.#handshake,
      held: this.#held,
      own: this.#own,
      kept: this.#kept,
      news: this.#news,
      rereading: this.#rereading,
      release: () => this.#release(),
    })
  }

  /** Ends whatever waits here: there is nobody left to be answered. Safe to call twice. */
  close(reason: Error): void {
    this.#held.clear()
    this.#own.close()
    this.#rereading.close()
    this.#questions.close(reason)
    this.#requests.end(reason)
    this.#session.close()
  }

  /** What the client said while nobody could hear it goes on as if it came now. */
  #release(): void {
    this.#held.release((bytes) => {
      const line = { start: 0, end: bytes.length - (bytes.at(-2) === carriageReturn ? 2 : 1) }
      const verdict = this.#fromClient.judge(bytes, line)
      if (verdict !== 'drop') this.#wire.toServer(applyEdits(bytes, { start: 0, end: bytes.length }, verdict === 'pass' ? [] : verdict))
    })
  }
}

const carriageReturn = 0x0d
