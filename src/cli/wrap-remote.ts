import type { Gateway } from '../gateway/index.ts'
import type { RemoteChannel } from '../desk/remote-channel.ts'
import type { RemoteSession } from '../desk/remote-session.ts'
import type { AnswerCapabilities, Desk, DeskSession, KeptFoldersReport } from '../protocol/index.ts'
import { LateConfig } from './late-config.ts'
import { homeOf } from './place.ts'
import { checkRoots, foldersOnly, originOf, waysOnFor, WrapDesk, type ServerFacts, type WrapDeskOptions } from './wrap-desk.ts'

/** The client has said what it can be asked long before; what only watches comes a moment later. */
const watchAfterMs = 300
/** What a desk that was reached can answer is known at once; a session that it does not tell of is not waited for longer. */
const openMs = 2000
/** A desk that runs greets at once; for one that stands still no client is kept waiting longer. */
const greetMs = 2000

/**
 * What stands behind a wrap where people answer: the desk that runs, or one that is started here, while the server starts.
 * Where none answers, folders are all that is told until one does, and stderr says why.
 */
export class WrapRemote {
  readonly #parts: WrapDeskOptions
  #desk: Desk | undefined
  /** Says what can be answered until the client has said its name. */
  #probe: RemoteSession | undefined
  /** In place of a desk that is not reached yet. */
  #local: WrapDesk | undefined
  #preparing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #conversation: Gateway['conversation'] | undefined
  /** What needs nobody is told from here. */
  #isLate = false
  #isClosed = false

  private constructor(parts: WrapDeskOptions) {
    this.#parts = parts
  }

  /** Checks what can be wrong before anything is started. @throws ConsentryError `ROOT_INVALID` */
  static async check(parts: WrapDeskOptions): Promise<WrapRemote> {
    await checkRoots(parts.options.roots, parts.place)
    return new WrapRemote(parts)
  }

  /** What can be answered at this moment. */
  get before(): AnswerCapabilities {
    return this.#isReached ? this.#probe!.capabilities() : (this.#local?.before ?? foldersOnly)
  }

  /** Finds the desk, or starts one; the server has been started before. One that is there and does not answer is not waited for. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare()
    return this.#preparing
  }

  /** @param client what the client calls itself */
  async openSession(client: string | undefined, server: ServerFacts): Promise<DeskSession> {
    await this.prepare()
    const [probe, local] = [this.#probe, this.#isReached ? undefined : this.#local]
    const session = this.#desk!.open(originOf(this.#parts.identity, client, server))
    session.on('folders-kept', (found) => this.#say(found))
    // The desk says what it can answer a moment after it is told of a session.
    const known = new Promise((resolve) => session.on('capabilities-changed', () => resolve(undefined)))
    if (local === undefined && !canAnswer(session)) await within(openMs, known)
    probe?.close()
    return local === undefined ? session : this.#openLate(session, local, client, server)
  }

  /** Has the folders watched from now on, where the server is told any here. Safe to call twice. */
  watch(conversation: Gateway['conversation']): void {
    this.#conversation = conversation
    // A session may have been opened before it was said who answers what.
    if (this.#isLate) this.#local?.watch(conversation)
    const open = (): void => {
      const { owners } = conversation
      if (owners !== undefined && Object.values(owners).includes('here')) void conversation.openDesk().catch(() => undefined)
    }
    // A client may take its time for the end of the handshake.
    this.#timer ??= setTimeout(() => conversation.whenSettled(open), watchAfterMs).unref()
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#desk?.close()
    await this.#local?.close()
  }

  get #isReached(): boolean {
    return this.#probe !== undefined && canAnswer(this.#probe)
  }

  async #prepare(): Promise<void> {
    const { options, identity, place, notice } = this.#parts
    const [{ callOrStartDesk }, { callDesk }, { RemoteDesk }, folders] = await Promise.all([
      import('./start-desk.ts'),
      import('./call-desk.ts'),
      import('../desk/remote-desk.ts'),
      readFolders(this.#parts),
    ])
    const first = new FirstCall((onStart) => callOrStartDesk(place, onStart))
    let isFirst = true
    const remote = new RemoteDesk({
      connect: async (isNeeded) => {
        if (!isFirst) return isNeeded ? callOrStartDesk(place) : (await callDesk(place)).channel
        isFirst = false
        return first.call()
      },
      folders,
    })
    this.#desk = options.record === undefined ? remote : (await import('./record-to.ts')).recordTo(options.record, remote, place, notice)
    this.#probe = remote.open({ server: identity, connection: 'none yet' })
    const why = await Promise.race([first.fault, this.#probe.opened])
    first.close()
    if (why !== undefined) {
      notice(`${why}. Nobody can be asked here until a desk answers; consentry up says more`)
      this.#local = await WrapDesk.prepare(this.#parts, await LateConfig.open(this.#parts.place))
    }
    if (this.#isClosed) await this.close()
  }

  #say(found: KeptFoldersReport): void {
    const { options, identity, notice } = this.#parts
    void import('./say-kept-folders.ts').then(({ sayKeptFolders }) => notice(sayKeptFolders(identity.name, found, waysOnFor(options))))
  }

  async #openLate(atDesk: DeskSession, local: WrapDesk, client: string | undefined, server: ServerFacts): Promise<DeskSession> {
    const { LateSession } = await import('./late-session.ts')
    const here = await local.openSession(client, server)
    this.#isLate = true
    if (this.#conversation) local.watch(this.#conversation)
    return new LateSession({
      atDesk,
      here,
      onReached: () => {
        this.#local = undefined
        void local.close()
        this.#parts.notice(
          'a desk answers now: what this server asks is answered there, and what it was not offered before it is offered when its client connects again',
        )
      },
    })
  }
}

/** The first look for a desk, which a client waits for: as long as there is hope. */
class FirstCall {
  /** Resolves with why there is no desk, if there is none in time. */
  readonly fault: Promise<string>
  readonly #call: (onStart: () => void) => Promise<RemoteChannel>
  #fail: (why: string) => void = () => {}
  #timer: NodeJS.Timeout | undefined

  /** @param call is told to call back where a desk is started, which takes as long as it takes */
  constructor(call: (onStart: () => void) => Promise<RemoteChannel>) {
    this.#call = call
    this.fault = new Promise((resolve) => (this.#fail = resolve))
  }

  async call(): Promise<RemoteChannel> {
    this.#expect(greetMs, 'the desk that runs does not answer')
    try {
      const channel = await this.#call(() => this.close())
      this.#expect(openMs, 'the desk that runs does not say what it can answer')
      return channel
    } catch (error) {
      this.#fail((error as Error).message)
      throw error
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #expect(milliseconds: number, otherwise: string): void {
    this.close()
    this.#timer = setTimeout(() => this.#fail(otherwise), milliseconds).unref()
  }
}

function canAnswer(session: DeskSession): boolean {
  return Object.values(session.capabilities()).includes(true)
}

async function readFolders({ options, place }: WrapDeskOptions): Promise<readonly { readonly path: string }[]> {
  if (options.roots.length === 0) return []
  const { readRootOption } = await import('../roots/root-entry.ts')
  const platform = place.platform === 'win32' ? 'win32' : 'posix'
  return options.roots.map((path) => ({ path: readRootOption(path, { platform, cwd: place.cwd, home: homeOf(place) }).path }))
}

/** Waits no longer than so many milliseconds. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))])
  clearTimeout(timer)
}
