import { openNodeDisk, readRootPath, type Disk, type Judgement, type RootMapping } from '../paths/index.ts'
import { serverKey } from '../policy/index.ts'
import type { KeptChoice, ServerIdentity } from '../protocol/index.ts'
import { renewFolders, type ConsentedFolder, type ConsentedFolderOptions, type FolderState } from './consented-folder.ts'
import { FolderJudge } from './folder-judge.ts'
import { GrantedFolders, type GrantStore } from './granted-folders.ts'
import { invalidRoot, type RootEntry } from './root-entry.ts'
import { ServerRoots } from './server-roots.ts'
import { ServerView } from './server-view.ts'
import type { StandIn } from './stand-in.ts'

/** Folders by the server's name; `*` stands for every server. */
export type ConfiguredRoots = ReadonlyMap<string, readonly RootEntry[]>

export interface RootListOptions {
  readonly configured?: ConfiguredRoots | undefined
  /** Where people's consents are kept; absent: they hold as long as this list. */
  readonly grants?: GrantStore | undefined
  /** What `~` stands for. */
  readonly home?: string | undefined
  /** Where our own config and audit log lie: no folder to be told lightly. */
  readonly state?: string | undefined
  /** A folder that the program made itself, of which there is nothing to mind, wherever it lies. */
  readonly own?: string | undefined
  /** Default: the disk of this machine. */
  readonly disk?: Disk | undefined
  /** Called when a folder is found missing, unreadable or replaced, and when it comes back. */
  readonly report?: ((state: FolderState) => void) | undefined
  /** Milliseconds that a server's request waits for a person, where it can be told later that its list has changed. Default: 10,000. */
  readonly patience?: number | undefined
  /** Told in place of no folders, where a person chooses that for a server which was told others before. Default: no folders are an empty list. */
  readonly standIn?: StandIn | undefined
  /** What is done in this run about a server that goes on in folders that it was told before; nobody is asked then. Default: a person is asked. */
  readonly keptFolders?: KeptChoice | undefined
  /** True while people are asked in each run, whatever they had remembered; a no stays a no. Default: what is remembered holds. */
  readonly mustAsk?: (() => boolean) | undefined
  /** Milliseconds between two looks at the folders of open connections; more where a look takes long. Default: 500. */
  readonly pollInterval?: number | undefined
  /** Milliseconds that changes are gathered for before they are announced. Default: 50. */
  readonly debounce?: number | undefined
  /** Calls back after so many milliseconds. Default: a timer. @returns the function that prevents it */
  readonly after?: ((milliseconds: number, action: () => void) => () => void) | undefined
}

export interface OpenRootsOptions {
  /** Given for this connection (`--root`); giving it is the user's consent. */
  readonly given?: readonly RootEntry[] | undefined
  /** Entries of this server's name that are meant for another command: none of its name counts then, and a person is asked. */
  readonly claims?: (() => readonly RootEntry[]) | undefined
  /** How this server knows our folders, where it has files of its own. A server that is spoken to over HTTP is told nothing without, except what is given. */
  readonly mappings?: (() => readonly RootMapping[]) | undefined
  /** What was said for this connection about folders that the server keeps; see `RootListOptions`. */
  readonly keptFolders?: KeptChoice | undefined
}

const EVERY_SERVER = '*'
/** Watching takes at most this part of the time. */
const WATCHING_SHARE = 1 / 40
const LONGEST_PAUSE = 2500

/**
 * Every folder that the user consented to, by server, watched while connections are open.
 *
 * A server gets what stands under its own name and under `*`, and what a person granted to it; its own name counts only where the user gave it.
 * Watching polls: nothing else notices a renamed parent or a lost permission.
 */
export class RootList {
  readonly #options: RootListOptions
  readonly #folders: ConsentedFolderOptions
  readonly #open = new Map<ServerRoots, GrantedFolders>()
  /** By server: what is said for this run outlives a connection that is made again. */
  readonly #granted = new Map<string, GrantedFolders>()
  #configured: ReadonlyMap<string, readonly ConsentedFolder[]> = new Map()
  #nextLook: NodeJS.Timeout | undefined

  constructor(options: RootListOptions = {}) {
    const { configured = new Map(), home, state, own, disk = openNodeDisk(), report } = options
    this.#options = options
    this.#folders = { disk, home, judge: new FolderJudge({ disk, home, state, own }), report }
    this.update(configured)
  }

  /**
   * The folders of one server over one connection; whoever opens them closes them.
   *
   * @throws ConsentryError `ROOT_INVALID` when a given path is one that no folder can have
   */
  open(
    server: ServerIdentity,
    { given = [], claims = () => [], mappings = () => [], keptFolders = this.#options.keptFolders }: OpenRootsOptions = {},
  ): ServerRoots {
    const folders = renewFolders([], given, this.#folders)
    for (const { path, refusal } of folders) if (refusal) throw invalidRoot(path, refusal)
    const { patience = 10_000, debounce = 50, after = startTimer, standIn } = this.#options
    const granted = this.#grantedTo(server)
    const roots = new ServerRoots({
      folders: this.#folders,
      given: folders,
      configured: () => this.#configuredFor(server, claims().length > 0),
      claims,
      view: new ServerView({ server, platform: this.#folders.disk.platform, mappings }),
      granted,
      standIn,
      keptFolders,
      patience,
      after,
      debounce,
      onClose: () => this.#forget(roots),
    })
    this.#open.set(roots, granted)
    // Where many servers come at once, each folder is looked at once for all.
    void roots.refresh(this.#pollInterval)
    this.#nextLook ??= this.#schedule(this.#pollInterval)
    return roots
  }

  /** What telling a server about a folder needs. */
  judge({ path, status }: Pick<FolderState, 'path' | 'status'>): Promise<Judgement> {
    const { disk, home, judge } = this.#folders
    const reading = readRootPath(path, disk.platform, { home })
    return reading.ok ? judge.judge(reading.path, status) : Promise.resolve({ level: 'ok' })
  }

  /** Puts an edited config in force: at once, for every open connection. What stays, stays the folder that it was. */
  update(configured: ConfiguredRoots): void {
    const before = this.#configured
    this.#folders.judge.forget()
    this.#configured = new Map(Array.from(configured, ([server, entries]) => [server, renewFolders(before.get(server) ?? [], entries, this.#folders)]))
    for (const roots of this.#open.keys()) void roots.refresh(this.#pollInterval)
  }

  /** What people said yes to for this run alone. */
  forRun(): readonly { readonly server: ServerIdentity; readonly entry: RootEntry }[] {
    return [...this.#granted.values()].flatMap(({ server, runEntries }) => runEntries.map((entry) => ({ server, entry })))
  }

  /** Takes back what people said yes to for this run, of every server of a name: at once, for every open connection. @returns false where there was nothing */
  endRun(server: string, path: string): boolean {
    const ended = [...this.#granted.values()].filter((granted) => granted.server.name === server && granted.endRun(path))
    for (const [roots, granted] of this.#open) if (ended.includes(granted)) void roots.refresh()
    return ended.length > 0
  }

  /** Closes whatever is open. Safe to call twice. */
  close(): void {
    for (const roots of this.#open.keys()) roots.close()
  }

  get #pollInterval(): number {
    return this.#options.pollInterval ?? 500
  }

  #configuredFor({ name, named }: ServerIdentity, isClaimed: boolean): readonly ConsentedFolder[] {
    const own = named && !isClaimed && name !== EVERY_SERVER ? (this.#configured.get(name) ?? []) : []
    return [...own, ...(this.#configured.get(EVERY_SERVER) ?? [])]
  }

  #grantedTo(server: ServerIdentity): GrantedFolders {
    const key = serverKey(server)
    const granted =
      this.#granted.get(key) ?? new GrantedFolders({ server, folders: this.#folders, store: this.#options.grants, mustAsk: this.#options.mustAsk })
    this.#granted.set(key, granted)
    return granted
  }

  #forget(roots: ServerRoots): void {
    this.#forgetGrants(this.#open.get(roots))
    this.#open.delete(roots)
    if (this.#open.size > 0) return
    clearTimeout(this.#nextLook)
    this.#nextLook = undefined
  }

  /** Servers come and go, under ever other names: only what a person said for this run outlives their connections. */
  #forgetGrants(granted: GrantedFolders | undefined): void {
    const isUsed = [...this.#open.values()].filter((other) => other === granted).length > 1
    if (!granted?.isForgettable || isUsed) return
    this.#granted.delete(serverKey(granted.server))
  }

  #schedule(pause: number): NodeJS.Timeout {
    const timer: NodeJS.Timeout = setTimeout(() => void this.#lookAgain(timer), pause)
    return timer.unref()
  }

  async #lookAgain(timer: NodeJS.Timeout): Promise<void> {
    const began = performance.now()
    await Promise.all(Array.from(new Set(this.#open.values()), (granted) => granted.refresh()))
    await Promise.all(Array.from(this.#open.keys(), (roots) => roots.refresh(this.#pollInterval / 2)))
    const took = performance.now() - began
    // Meanwhile everything may have been closed, and opened again with a timer of its own.
    if (this.#nextLook !== timer) return
    this.#nextLook = this.#schedule(Math.max(this.#pollInterval, Math.min(took / WATCHING_SHARE, LONGEST_PAUSE)))
  }
}

function startTimer(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds).unref()
  return () => clearTimeout(timer)
}
