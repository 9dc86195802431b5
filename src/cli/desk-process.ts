import { randomBytes } from 'node:crypto'
import type { DeskObserver } from '../desk/index.ts'
import { RemoteServer } from '../desk/remote-server.ts'
import { ConsentryError } from '../errors.ts'
import { Host, serversFromConfig } from '../host/index.ts'
import type { ConfigFile } from '../policy/index.ts'
import { fixesFolders } from '../policy/start-wishes.ts'
import type { FileLock } from '../store/index.ts'
import { clientInfo } from './client-info.ts'
import { readDeskFile, removeDeskFile, writeDeskFile, type DeskAddress } from './desk-file.ts'
import { openDeskSocket, removeStaleSockets, type DeskSocket } from './desk-socket.ts'
import { openDesk, type DeskOptions, type OpenDesk } from './open-desk.ts'
import type { Place } from './place.ts'
import { proposeFolders } from './propose-folders.ts'
import { openStateFolder } from './state-folder.ts'

/** Why a desk ends: `newer` and `handed-over` make room for another one. */
export type DeskEnd = 'interrupted' | 'quiet' | 'newer' | 'handed-over'

/** Where people decide: the console in the browser. */
export interface DeskWindow {
  readonly port: number
  /** People who are in front of it now. */
  readonly people: number
  /** Its address, with a token that lets one browser in, once. For the desk's own terminal only. */
  url(): string
  /** Opens it for the person at this machine. @returns why it could not be opened */
  show(): Promise<string | undefined>
  /** @returns the function that undoes it */
  onPeople(listener: () => void): () => void
  /** Safe to call twice. */
  close(): Promise<void>
}

/** What a window is made of. */
export interface DeskParts {
  readonly opened: OpenDesk
  readonly host: Host
  readonly config: ConfigFile
}

export interface DeskProcessOptions extends Pick<DeskOptions, 'ownFolder' | 'proposedRoots' | 'patience'> {
  /** Told of everything that is asked. */
  readonly observer?: DeskObserver | undefined
  /** Makes what people see; undefined where nobody can see anything. */
  readonly openWindow: (parts: DeskParts) => Promise<DeskWindow | undefined>
  /** Brings it to the person at this machine. @returns why no browser could be opened */
  readonly showWindow: (window: DeskWindow) => Promise<string | undefined>
  /** The window opens by itself when something waits and nobody looks. */
  readonly opensItself: boolean
  /** A wrap started it, and nobody by hand: it leaves when it is needed no longer, and for somebody who wants to answer in a terminal. */
  readonly isBackground: boolean
  /** After so long without a wrap and without people a desk that a wrap started leaves, in milliseconds. */
  readonly quietMs: number
  readonly notice: (sentence: string) => void
}

/** Two windows are not opened within so many milliseconds: whoever may ask may ask for one. */
const showPauseMs = 3000
const openAfterMs = 300
/** A window that was opened, and closed by hand, is not opened again at once. */
const reopenPauseMs = 15_000
/** So often does a desk that nobody sees look whether it can still be found. */
const lookEveryMs = 10_000
/** What wraps asked is answered, as nobody's, before we hang up; so long is waited for it. */
const goodbyeMs = 1000

/** The running desk: rules, folders, models, the servers of the config, the inbox, and the socket where wraps ask. Whoever makes it holds the lock. */
export class DeskProcess {
  /** Resolves when it is to end; `close` ends it. */
  readonly ended: Promise<DeskEnd>
  readonly opened: OpenDesk
  readonly host: Host
  readonly #place: Place
  readonly #options: DeskProcessOptions
  readonly #lock: FileLock
  readonly #config: ConfigFile
  readonly #server: RemoteServer
  readonly #stops: (() => void)[] = []
  #window: DeskWindow | undefined
  #socket: DeskSocket | undefined
  #address: DeskAddress | undefined
  #lastShown = -Infinity
  #lastOpened = -Infinity
  #quietTimer: NodeJS.Timeout | undefined
  #why: DeskEnd | undefined
  #setEnded: (why: DeskEnd) => void = () => undefined

  private constructor(opened: OpenDesk, config: ConfigFile, lock: FileLock, options: DeskProcessOptions, place: Place) {
    this.opened = opened
    this.#config = config
    this.#lock = lock
    this.#options = options
    this.#place = place
    this.ended = new Promise((resolve) => (this.#setEnded = resolve))
    this.host = new Host({ desk: opened.desk, servers: this.#servers(config.current), clientInfo: clientInfo() })
    this.#server = new RemoteServer({
      key: randomBytes(32).toString('hex'),
      open: (origin, folders) => opened.openFor(origin, folders),
      show: () => this.#show(),
      leave: () => this.#leave(),
      onNewer: () => void this.#drain(),
    })
  }

  /** @param lock taken over, and released when the desk is closed @throws ConsentryError why there can be no desk: nothing has been started then */
  static async start(config: ConfigFile, lock: FileLock, options: DeskProcessOptions, place: Place): Promise<DeskProcess> {
    const proposedRoots: DeskOptions['proposedRoots'] = ({ target }) =>
      target.kind === 'stdio' && target.cwd !== undefined ? proposeFolders({ ...place, cwd: target.cwd }, target) : []
    const opened = await openDesk({ config, roots: [], waysOn: { isAtDesk: true }, ...options, proposedRoots: options.proposedRoots ?? proposedRoots }, place)
    const desk = new DeskProcess(opened, config, lock, options, place)
    try {
      await desk.#start()
      return desk
    } catch (error) {
      await desk.close()
      throw error
    }
  }

  get address(): DeskAddress {
    return this.#address!
  }

  /** What people see, where there is something. */
  get window(): DeskWindow | undefined {
    return this.#window
  }

  /** Ends every question once, hangs up, and makes room for another desk. Safe to call twice. */
  async close(): Promise<void> {
    this.#end('interrupted')
    clearTimeout(this.#quietTimer)
    for (const stop of this.#stops.splice(0)) stop()
    await this.#goOffline()
    // A desk that is handed over leaves what waits to the next one: the wraps ask there again.
    if (this.#why === 'handed-over') await this.#server.close()
    this.opened.inbox?.close()
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.#server.whenIdle(), new Promise((resolve) => (timer = setTimeout(resolve, goodbyeMs)))])
    clearTimeout(timer)
    await this.#window?.close()
    await this.host.close()
    await this.opened.close()
    await this.#server.close()
    this.#config.close()
    this.#lock.release()
  }

  async #start(): Promise<void> {
    const { deskFile } = openStateFolder(this.#place)
    await removeStaleSockets(this.#place, (await readDeskFile(deskFile))?.socket)
    this.#window = await this.#options.openWindow({ opened: this.opened, host: this.host, config: this.#config })
    this.#socket = await openDeskSocket(this.#place, (socket) => this.#server.accept(socket))
    this.#address = { socket: this.#socket.path, key: this.#server.key, pid: process.pid, port: this.#window?.port }
    await writeDeskFile(deskFile, this.#address)
    const { interrupted } = this.#place
    const interrupt = (): void => this.#end('interrupted')
    interrupted.addEventListener('abort', interrupt, { once: true })
    if (interrupted.aborted) interrupt()
    this.#stops.push(
      () => interrupted.removeEventListener('abort', interrupt),
      this.#config.on('changed', (next) => void this.host.update(this.#servers(next))),
      this.#server.on('changed', () => this.#lookAround()),
      this.#window?.onPeople(() => this.#lookAround()) ?? (() => {}),
      this.opened.inbox!.on('review-opened', ({ id }) => this.#openItself(id)),
    )
    if (this.#options.isBackground) {
      const timer = setInterval(() => void this.#lookForAddress(), lookEveryMs)
      this.#stops.push(() => clearInterval(timer))
    }
    this.#lookAround()
  }

  /** A desk whose address is gone, with its folder or under another desk's, is found by nobody. */
  async #lookForAddress(): Promise<void> {
    const found = await readDeskFile(openStateFolder(this.#place).deskFile)
    if (found?.key !== this.#server.key) this.#end('quiet')
  }

  #servers(config: ConfigFile['current']): ReturnType<typeof serversFromConfig> {
    return serversFromConfig(config, this.#place.environment, {
      prepare: async (start, wishes, identity) => {
        const { prepareStart } = await import('./prepare-start.ts')
        const told = fixesFolders(wishes) ? await this.opened.foldersOf(identity) : []
        const { says, held: _, ...prepared } = await prepareStart(start, wishes, identity, { config: this.#config.current, told }, this.#place)
        for (const sentence of says) this.#options.notice(`${identity.name}: ${sentence}`)
        return prepared
      },
    })
  }

  /** A wrap asks for the desk's own window: it is opened here, for the person, and the wrap gets nothing of it. */
  async #show(): Promise<string | undefined> {
    if (this.#window === undefined) return 'it has no window'
    const now = performance.now()
    if (now - this.#lastShown < showPauseMs) return undefined
    this.#lastShown = now
    return this.#options.showWindow(this.#window)
  }

  /** Something waits: whoever reloads a window is back in a moment, and nobody wants a second one. */
  #openItself(review: string): void {
    if (!this.#options.opensItself || this.#hasPeople || performance.now() - this.#lastOpened < reopenPauseMs) return
    this.#lastOpened = performance.now()
    setTimeout(() => {
      if (this.#hasPeople || this.opened.inbox?.get(review) === undefined || this.#why !== undefined) return
      void this.#show().then((why) => why && this.#options.notice(`something waits, and no browser could be opened (${why})`))
    }, openAfterMs).unref()
  }

  #leave(): string | undefined {
    if (!this.#options.isBackground) return 'it was started by hand, and ends with Ctrl-C there'
    if (this.#hasPeople) return 'somebody has its console open'
    this.#end('handed-over')
    return undefined
  }

  /** Makes room at once for a desk of a newer version, and ends when what waits here has ended. */
  async #drain(): Promise<void> {
    await this.#goOffline()
    this.#lock.release()
    await this.#server.whenIdle()
    this.#end('newer')
  }

  async #goOffline(): Promise<void> {
    if (this.#address !== undefined) await removeDeskFile(openStateFolder(this.#place).deskFile, this.#address)
    await this.#socket?.close()
  }

  get #hasPeople(): boolean {
    return (this.#window?.people ?? 0) > 0
  }

  /** Starts to count the quiet while, or stops it. */
  #lookAround(): void {
    clearTimeout(this.#quietTimer)
    if (!this.#options.isBackground || this.#why !== undefined || this.#server.size > 0 || this.#hasPeople) return
    this.#quietTimer = setTimeout(() => this.#end('quiet'), this.#options.quietMs)
  }

  #end(why: DeskEnd): void {
    this.#why ??= why
    this.#setEnded(this.#why)
  }
}

/** Why the desk that runs is not this one's business. */
export function describeRefusal(why: string, { pid }: DeskAddress): ConsentryError {
  return new ConsentryError('DESK_UNREACHABLE', `a desk runs already (process ${pid}): ${why}`)
}
