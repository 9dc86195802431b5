import { openNodeDisk, type Disk } from '../paths/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { renewFolders, type ConsentedFolder, type ConsentedFolderOptions, type FolderState } from './consented-folder.ts'
import { invalidRoot, type RootEntry } from './root-entry.ts'
import { ServerRoots } from './server-roots.ts'

/** Folders by the server's name; `*` stands for every server. */
export type ConfiguredRoots = ReadonlyMap<string, readonly RootEntry[]>

export interface RootListOptions {
  readonly configured?: ConfiguredRoots | undefined
  /** What `~` stands for. */
  readonly home?: string | undefined
  /** Default: the disk of this machine. */
  readonly disk?: Disk | undefined
  /** Called when a folder is found missing, unreadable or replaced, and when it comes back. */
  readonly report?: ((state: FolderState) => void) | undefined
  /** Milliseconds between two looks at the folders of open connections; more where a look takes long. Default: 500. */
  readonly pollInterval?: number | undefined
  /** Milliseconds that changes are gathered for before they are announced. Default: 50. */
  readonly debounce?: number | undefined
}

export interface OpenRootsOptions {
  /** Given for this connection (`--root`); giving it is the user's consent. */
  readonly given?: readonly RootEntry[] | undefined
  /** Consents of a person that are remembered for this server. */
  readonly granted?: readonly RootEntry[] | undefined
}

const EVERY_SERVER = '*'
/** Watching takes at most this part of the time. */
const WATCHING_SHARE = 1 / 20
const LONGEST_PAUSE = 1000

/**
 * Every folder that the user consented to, by server, watched while connections are open.
 *
 * A server gets what stands under its own name and under `*`; its own name counts only where the user gave it.
 * Watching polls: nothing else notices a renamed parent or a lost permission.
 */
export class RootList {
  readonly #folders: ConsentedFolderOptions
  readonly #pollInterval: number
  readonly #debounce: number
  readonly #open = new Set<ServerRoots>()
  #configured: ReadonlyMap<string, readonly ConsentedFolder[]> = new Map()
  #nextLook: NodeJS.Timeout | undefined

  constructor({ configured = new Map(), home, disk = openNodeDisk(), report, pollInterval = 500, debounce = 50 }: RootListOptions = {}) {
    this.#folders = { disk, home, report }
    this.#pollInterval = pollInterval
    this.#debounce = debounce
    this.update(configured)
  }

  /**
   * The folders of one server over one connection; whoever opens them closes them.
   *
   * @throws ConsentryError `ROOT_INVALID` when a given path is one that no folder can have
   */
  open(server: ServerIdentity, { given = [], granted = [] }: OpenRootsOptions = {}): ServerRoots {
    const folders = renewFolders([], given, this.#folders)
    for (const { path, refusal } of folders) if (refusal) throw invalidRoot(path, refusal)
    const roots = new ServerRoots({
      folders: this.#folders,
      given: folders,
      configured: () => this.#configuredFor(server),
      granted,
      debounce: this.#debounce,
      onClose: () => this.#forget(roots),
    })
    this.#open.add(roots)
    void roots.refresh()
    this.#nextLook ??= this.#schedule(this.#pollInterval)
    return roots
  }

  /** Puts an edited config in force: at once, for every open connection. What stays, stays the folder that it was. */
  update(configured: ConfiguredRoots): void {
    const before = this.#configured
    this.#configured = new Map(Array.from(configured, ([server, entries]) => [server, renewFolders(before.get(server) ?? [], entries, this.#folders)]))
    for (const roots of this.#open) void roots.refresh()
  }

  /** Closes whatever is open. Safe to call twice. */
  close(): void {
    for (const roots of this.#open) roots.close()
  }

  #configuredFor({ name, named }: ServerIdentity): readonly ConsentedFolder[] {
    const own = named && name !== EVERY_SERVER ? (this.#configured.get(name) ?? []) : []
    return [...own, ...(this.#configured.get(EVERY_SERVER) ?? [])]
  }

  #forget(roots: ServerRoots): void {
    this.#open.delete(roots)
    if (this.#open.size > 0) return
    clearTimeout(this.#nextLook)
    this.#nextLook = undefined
  }

  #schedule(pause: number): NodeJS.Timeout {
    const timer: NodeJS.Timeout = setTimeout(() => void this.#lookAgain(timer), pause)
    return timer.unref()
  }

  async #lookAgain(timer: NodeJS.Timeout): Promise<void> {
    const began = performance.now()
    await Promise.all(Array.from(this.#open, (roots) => roots.refresh()))
    const took = performance.now() - began
    // Meanwhile everything may have been closed, and opened again with a timer of its own.
    if (this.#nextLook !== timer) return
    this.#nextLook = this.#schedule(Math.max(this.#pollInterval, Math.min(took / WATCHING_SHARE, LONGEST_PAUSE)))
  }
}
