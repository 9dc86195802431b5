import type { Gateway } from '../gateway/index.ts'
import type { RemoteSession } from '../desk/remote-session.ts'
import { ConsentryError } from '../errors.ts'
import type { AnswerCapabilities, Desk, DeskSession } from '../protocol/index.ts'
import { LateConfig } from './late-config.ts'
import { homeOf } from './place.ts'
import { checkRoots, foldersOnly, WrapDesk, type ServerFacts, type WrapDeskOptions } from './wrap-desk.ts'

/** The client has said what it can be asked long before; what only watches comes a moment later. */
const watchAfterMs = 300
/** What a desk that was reached can answer is known at once; a session that it does not tell of is not waited for longer. */
const openMs = 2000

/**
 * What stands behind a wrap where people answer: the desk that runs, or one that is started here, while the server starts.
 * Where there can be none, folders are all that is told, and stderr says why.
 */
export class WrapRemote {
  readonly #parts: WrapDeskOptions
  #desk: Desk | undefined
  /** Says what can be answered until the client has said its name. */
  #probe: RemoteSession | undefined
  /** In place of a desk that cannot be reached. */
  #local: WrapDesk | undefined
  #preparing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(parts: WrapDeskOptions) {
    this.#parts = parts
  }

  /** Checks what can be wrong before anything is started. @throws ConsentryError `CONFIG_INVALID`, `ROOT_INVALID` */
  static async check(parts: WrapDeskOptions): Promise<WrapRemote> {
    await checkRoots(parts.options.roots, parts.place)
    const config = await LateConfig.open(parts.place)
    config.close()
    return new WrapRemote(parts)
  }

  /** What can be answered at this moment. */
  get before(): AnswerCapabilities {
    return this.#probe?.capabilities() ?? this.#local?.before ?? foldersOnly
  }

  /** Finds the desk, or starts one; the server has been started before. Never rejects. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare()
    return this.#preparing
  }

  /** @param client what the client calls itself */
  async openSession(client: string | undefined, server: ServerFacts): Promise<DeskSession> {
    await this.prepare()
    const [desk, probe] = [this.#desk, this.#probe]
    if (this.#local) return this.#local.openSession(client, server)
    if (desk === undefined) throw new ConsentryError('DESK_UNREACHABLE', 'there is no desk')
    const session = desk.open({ server: this.#parts.identity, connection: globalThis.crypto.randomUUID(), client, ...server })
    // The desk says what it can answer a moment after it is told of a session.
    const known = new Promise((resolve) => session.on('capabilities-changed', () => resolve(undefined)))
    if (!Object.values(session.capabilities()).includes(true)) await within(openMs, known)
    probe?.close()
    return session
  }

  /** Has the folders watched from now on, where the server is told any here. Safe to call twice. */
  watch(conversation: Gateway['conversation']): void {
    if (this.#local) return this.#local.watch(conversation)
    this.#timer ??= setTimeout(() => {
      const { owners } = conversation
      if (owners !== undefined && Object.values(owners).includes('here')) void conversation.openDesk().catch(() => undefined)
    }, watchAfterMs).unref()
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#desk?.close()
    await this.#local?.close()
  }

  async #prepare(): Promise<void> {
    const { options, identity, place, notice } = this.#parts
    try {
      const [{ callOrStartDesk }, { callDesk }, { RemoteDesk }] = await Promise.all([
        import('./start-desk.ts'),
        import('./call-desk.ts'),
        import('../desk/remote-desk.ts'),
      ])
      let first: Awaited<ReturnType<typeof callOrStartDesk>> | undefined = await callOrStartDesk(place)
      const remote = new RemoteDesk({
        connect: async (isNeeded) => {
          const channel = first
          first = undefined
          return channel ?? (isNeeded ? callOrStartDesk(place) : (await callDesk(place)).channel)
        },
        folders: await readFolders(this.#parts),
      })
      this.#desk = options.record === undefined ? remote : (await import('./record-to.ts')).recordTo(options.record, remote, place, notice)
      this.#probe = remote.open({ server: identity, connection: 'none yet' })
      await within(openMs, this.#probe.opened)
    } catch (error) {
      notice(`${(error as Error).message}. Nobody can be asked here; consentry up says more`)
      this.#local = await WrapDesk.prepare(this.#parts)
    }
    if (this.#isClosed) await this.close()
  }
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
