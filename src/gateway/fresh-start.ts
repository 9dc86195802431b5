import { ConsentryError } from '../errors.ts'
import type { KeptRequests } from '../host/kept-requests.ts'
import { within, type Clock } from '../mcp/clock.ts'
import type { Rereading } from '../mcp/rereading.ts'
import { wireCodes, type WireError } from '../mcp/wire-error.ts'
import { isJsonObject } from '../protocol/index.ts'
import type { ClientRequests } from './client-requests.ts'
import type { Handshake } from './handshake.ts'
import type { HeldLines } from './held-lines.ts'
import type { OwnRequests } from './own-requests.ts'
import { errorLine, notificationLine } from './request-lines.ts'
import type { RootNews } from './root-news.ts'
import type { ServerQuestions } from './server-questions.ts'
import type { Wire } from './wire.ts'

export interface FreshStartNeeds {
  readonly clock: Clock
  readonly wire: Wire
  readonly requests: ClientRequests
  readonly questions: ServerQuestions
  readonly handshake: Handshake
  readonly held: HeldLines
  readonly own: OwnRequests
  readonly kept: KeptRequests
  readonly news: RootNews
  readonly rereading: Rereading
  /** Lets go of what the client said meanwhile. */
  readonly release: () => void
}

/** What runs when a server is started afresh is given so long to come to its end. */
const drainMs = 2000
/** What may have to be fetched first takes its time. */
const greetingMs = 120_000
/** For all that it is told once more. */
const repeatMs = 5000

const lost: WireError = {
  code: wireCodes.internal,
  message: 'The server was started afresh while this ran; it was ended, and is not sent again',
  data: { reason: 'restarted' },
}

/**
 * One server takes the place of another in the middle of a conversation, and the client is not told: what ran ends with an error and is never sent again, what it says
 * meanwhile waits, and the fresh server hears what the client has told the old one once and for all.
 */
export class FreshStart {
  readonly #needs: FreshStartNeeds

  constructor(needs: FreshStartNeeds) {
    this.#needs = needs
  }

  /** Nothing new reaches the server. Resolves when it has answered all that it was asked, has had its time for that, or is gone. */
  async drain(isGone: Promise<unknown>): Promise<void> {
    const { clock, held, news, requests } = this.#needs
    held.shut()
    news.hold()
    await within(clock, drainMs, Promise.race([requests.whenIdle(), isGone]))
  }

  /** The server is heard no more: everything of it that is open ends. */
  cutOff(): void {
    const { requests, questions, own, rereading, wire } = this.#needs
    for (const { writtenId, twins } of requests.takeFromServer()) for (let count = 0; count <= twins; count += 1) wire.toClient(errorLine(writtenId, lost))
    questions.leaveServer()
    own.end()
    rereading.close()
  }

  /** Has the fresh server hear what the client said to the old one. @throws ConsentryError `CONNECTION_LOST` where it does not want to */
  async greet(): Promise<void> {
    const { handshake, wire, kept, clock, own, rereading } = this.#needs
    const { hello } = handshake
    if (hello === undefined) return
    const { serverCapabilities: before, serverVersion } = handshake
    const reply = await within(clock, greetingMs, own.ask(hello))
    if (reply === undefined) throw new ConsentryError('CONNECTION_LOST', 'The fresh server did not answer the handshake')
    if (reply.isError) throw new ConsentryError('CONNECTION_LOST', 'The fresh server refused the handshake')
    handshake.takeResponse(reply.bytes, reply.envelope)
    if (handshake.serverVersion !== serverVersion) throw otherVersion(serverVersion, handshake.serverVersion)
    // It reads its folders as the old one did: a call that overtakes that would run without them.
    rereading.announced({ isFresh: true })
    wire.toServer(notificationLine('notifications/initialized'))
    const told: Promise<unknown>[] = []
    await kept.replay(
      async (method, params) => void told.push(own.ask(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method, ...(params && { params }) })))),
    )
    await within(clock, repeatMs, Promise.all(told))
    if (before?.equals(handshake.serverCapabilities ?? Buffer.alloc(0)) === false)
      wire.notice('started afresh, the server offers other things than the client was told of; the client may have to be started afresh too')
  }

  /** The client is heard again, and told of lists that may be other ones now. */
  goOn(): void {
    const { held, news, handshake, wire, release } = this.#needs
    held.open()
    news.goOn()
    release()
    for (const list of changingLists(handshake.serverCapabilities)) wire.toClient(notificationLine(`notifications/${list}/list_changed`))
  }
}

/** The client knows one revision, and would take what the fresh server says for something else. */
function otherVersion(before: string | undefined, now: string | undefined): ConsentryError {
  const words = (version: string | undefined): string => version?.slice(0, 40) ?? 'no revision'
  return new ConsentryError(
    'CONNECTION_LOST',
    `The fresh server speaks ${words(now)}, and the client was told of ${words(before)}: start the client afresh too`,
  )
}

/** The lists of which the server said that it tells when they change. @see MCP 2025-11-25 basic/lifecycle "Capability Negotiation" */
function changingLists(capabilities: Buffer | undefined): readonly string[] {
  const value: unknown = capabilities && JSON.parse(capabilities.toString('utf8'))
  if (!isJsonObject(value)) return []
  return ['tools', 'prompts', 'resources'].filter((list) => {
    const one = Object.hasOwn(value, list) ? value[list] : undefined
    return isJsonObject(one) && one['listChanged'] === true
  })
}
