import type { InputObserver } from '../mcp/answer-input.ts'
import type { Clock } from '../mcp/clock.ts'
import type { AnswerCapabilities, DeskSession } from '../protocol/index.ts'
import { ClientRequests } from './client-requests.ts'
import type { Flaw } from './envelope.ts'
import { FromClient } from './from-client.ts'
import { FromServer } from './from-server.ts'
import { Handshake } from './handshake.ts'
import type { Span } from './json-bytes.ts'
import { LazySession } from './lazy-session.ts'
import type { BegunLine, Verdict } from './line-feed.ts'
import { ModernPromise } from './modern-promise.ts'
import { OwnIds } from './own-ids.ts'
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
  readonly #fromClient: FromClient
  readonly #fromServer: FromServer

  constructor(wire: Wire, options: ConversationOptions) {
    const { wishes, before, openSession, observer, onShared, onInitialized, clock, newSecret } = options
    const ownIds = new OwnIds(newSecret)
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
    }
    const handles = new RoundHandles(clock, newSecret)
    const rounds = new Rounds({ ...shared, promise, handles })
    this.#questions = new ServerQuestions(shared)
    this.#news = new RootNews(shared)
    this.#fromClient = new FromClient({ ...shared, questions: this.#questions, promise, rounds, handles })
    this.#fromServer = new FromServer({
      ...shared,
      questions: this.#questions,
      rounds,
      visits: new RequiredVisits(shared),
    })
    if (onInitialized) this.#handshake.whenOver(onInitialized)
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

  /** Opens the desk before anything is asked: somebody has to watch the folders. */
  openDesk(): Promise<DeskSession> {
    return this.#session.open()
  }

  /** The server's folders are other ones now. */
  announceRoots(): void {
    this.#news.announce()
  }

  /** Ends whatever waits here: there is nobody left to be answered. Safe to call twice. */
  close(reason: Error): void {
    this.#questions.close(reason)
    this.#requests.end(reason)
    this.#session.close()
  }
}
