import { createListeners, type Root } from '../protocol/index.ts'
import { ConsentedFolder, renewFolders, type ConsentedFolderOptions, type FolderState } from './consented-folder.ts'
import type { RootEntry } from './root-entry.ts'

/** What can be said of some folders at this moment. */
export interface RootSurvey {
  /** Each folder, with its status. */
  readonly states: readonly FolderState[]
  /** What may be told of them: there, readable, not replaced, each object once. */
  readonly roots: readonly Root[]
}

export interface ServerRootsEvents {
  /** The list that this server would get now differs from the one before. */
  readonly changed: undefined
}

export interface ServerRootsOptions {
  readonly folders: ConsentedFolderOptions
  /** Given for this connection only (`--root`). */
  readonly given: readonly ConsentedFolder[]
  /** What the config says now. */
  readonly configured: () => readonly ConsentedFolder[]
  readonly granted: readonly RootEntry[]
  /** Milliseconds that changes are gathered for. */
  readonly debounce: number
  readonly onClose: () => void
}

/**
 * The folders that one server may be told over one connection: computed afresh each time somebody asks.
 *
 * One folder that is gone, or cannot be read, never keeps the others back.
 */
export class ServerRoots {
  readonly #options: ServerRootsOptions
  readonly #listeners = createListeners<ServerRootsEvents>()
  #granted: readonly ConsentedFolder[]
  #started = 0
  #applied = 0
  #list: string | undefined
  #announcement: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ServerRootsOptions) {
    this.#options = options
    this.#granted = renewFolders([], options.granted, options.folders)
  }

  /** How many folders the user consented to, whatever their status. */
  get size(): number {
    return this.#folders().length
  }

  /** What may be told now. @see MCP client/roots "Listing Roots" */
  async list(): Promise<readonly Root[]> {
    return (await this.#surveyAll()).roots
  }

  /** All that the user consented to, told or not. */
  async states(): Promise<readonly FolderState[]> {
    return (await this.#surveyAll()).states
  }

  /** What could be said of these folders, whether consented to or not. Consent stays as it was. */
  survey(entries: readonly RootEntry[]): Promise<RootSurvey> {
    const known = new Map(this.#folders().map((folder) => [folder.path, folder]))
    const { disk, home } = this.#options.folders
    return survey(
      entries.map((entry) => {
        const folder = new ConsentedFolder(entry, { disk, home })
        return known.get(folder.path) ?? folder
      }),
    )
  }

  /** Puts other remembered consents in place of those before; what stays, stays the folder that it was. */
  updateGrants(entries: readonly RootEntry[]): void {
    this.#granted = renewFolders(this.#granted, entries, this.#options.folders)
    void this.refresh()
  }

  /** Looks again, and announces a change. Never rejects. */
  async refresh(): Promise<void> {
    await this.#surveyAll()
  }

  /** @returns the function that undoes it */
  on(event: 'changed', listener: () => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Watches no longer. Safe to call twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#announcement)
    this.#listeners.clear()
    this.#options.onClose()
  }

  /** In the order of their weight: given for this run, configured, granted. */
  #folders(): readonly ConsentedFolder[] {
    const all = new Map<string, ConsentedFolder>()
    for (const folder of [...this.#options.given, ...this.#options.configured(), ...this.#granted]) {
      if (!all.has(folder.path)) all.set(folder.path, folder)
    }
    return [...all.values()]
  }

  async #surveyAll(): Promise<RootSurvey> {
    const order = (this.#started += 1)
    const seen = await survey(this.#folders())
    // A look that began later knows better.
    if (order > this.#applied) {
      this.#applied = order
      this.#compare(JSON.stringify(seen.roots))
    }
    return seen
  }

  #compare(list: string): void {
    const isChange = this.#list !== undefined && this.#list !== list
    this.#list = list
    if (!isChange || this.#closed) return
    this.#announcement ??= setTimeout(() => {
      this.#announcement = undefined
      this.#listeners.emit('changed', undefined)
    }, this.#options.debounce).unref()
  }
}

async function survey(folders: readonly ConsentedFolder[]): Promise<RootSurvey> {
  const sightings = await Promise.all(folders.map((folder) => folder.look()))
  const roots = new Map<string, Root>()
  for (const { told } of sightings) {
    if (told && !roots.has(told.identity)) roots.set(told.identity, told.root)
  }
  return { states: sightings.map(({ state }) => state), roots: [...roots.values()] }
}
