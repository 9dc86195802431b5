import { isJsonObject, type KeptChoice, type Remembrance, type ServerIdentity } from '../protocol/index.ts'
import type { Grant, Grants } from '../policy/index.ts'
import { ConsentedFolder, renewFolders, type ConsentedFolderOptions } from './consented-folder.ts'
import type { RootEntry } from './root-entry.ts'

/** Where people's consents are kept. */
export type GrantStore = Pick<Grants, 'find' | 'add' | 'revoke'>

export interface GrantedFoldersOptions {
  readonly server: ServerIdentity
  readonly folders: ConsentedFolderOptions
  /** True while nothing that was remembered stands in for a person: they are asked in each run. A no stays a no. */
  readonly mustAsk?: (() => boolean) | undefined
  /** Default: nothing is remembered, and every consent holds for this run. */
  readonly store?: GrantStore | undefined
}

/**
 * What people said when they were asked which folders one server may know: for this run, and remembered.
 *
 * What is remembered is read when the server first asks, because opening the store is dear; from then on it is followed.
 */
export class GrantedFolders {
  readonly #options: GrantedFoldersOptions
  #forThisRun: readonly ConsentedFolder[] = []
  #remembered: readonly ConsentedFolder[] = []
  #isRefused = false
  #keptChoice: KeptChoice | undefined
  #recalling: Promise<void> | undefined

  constructor(options: GrantedFoldersOptions) {
    this.#options = options
  }

  get folders(): readonly ConsentedFolder[] {
    return this.#mustAsk ? this.#forThisRun : [...this.#forThisRun, ...this.#remembered]
  }

  get server(): ServerIdentity {
    return this.#options.server
  }

  /** Nothing in it is for this run alone: what it knows can be read again. */
  get isForgettable(): boolean {
    return this.#forThisRun.length === 0
  }

  /** What holds for this run alone. */
  get runEntries(): readonly RootEntry[] {
    return this.#forThisRun.map(({ entry }) => entry)
  }

  /** Takes a yes for this run back. @returns false where there is none */
  endRun(path: string): boolean {
    const left = this.#forThisRun.filter((folder) => folder.path !== path && folder.entry.path !== path)
    const isEnded = left.length < this.#forThisRun.length
    this.#forThisRun = left
    return isEnded
  }

  /** What a person said yes to before, and is asked about again. */
  get unheeded(): readonly ConsentedFolder[] {
    const again = new Set(this.#forThisRun.map(({ path }) => path))
    return this.#mustAsk ? this.#remembered.filter(({ path }) => !again.has(path)) : []
  }

  /** What is to be done where this server goes on in folders that it was told before. */
  get keptChoice(): KeptChoice | undefined {
    return this.#mustAsk ? undefined : this.#keptChoice
  }

  get #mustAsk(): boolean {
    return this.#options.mustAsk?.() === true
  }

  /** A person said that this server is told nothing, and is not to be asked about again. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Reads what is remembered, once. @throws ConsentryError `STORE_UNAVAILABLE`; the next call tries again */
  recall(): Promise<void> {
    this.#recalling ??= this.#read().catch((error: unknown) => {
      this.#recalling = undefined
      throw error
    })
    return this.#recalling
  }

  /** Looks whether something was granted or revoked elsewhere, or has expired. A store that cannot be read changes nothing. */
  async refresh(): Promise<void> {
    if (this.#recalling) await this.#recalling.then(() => this.#read()).catch(() => undefined)
  }

  /** Takes a person's yes to folders as they lie there now; an earlier one to the same path ends. @throws ConsentryError `STORE_UNAVAILABLE` */
  async grant(folders: readonly ConsentedFolder[], remember?: Remembrance): Promise<void> {
    const paths = new Set(folders.map(({ path }) => path))
    const others = this.#forThisRun.filter(({ path }) => !paths.has(path))
    const isKept = remember !== undefined && (await this.#keep(folders.map(detailsOf), remember, ({ details }) => isEnded(details, paths)))
    this.#forThisRun = isKept && !this.#mustAsk ? others : [...others, ...folders.map(({ entry }) => new ConsentedFolder(entry, this.#options.folders))]
  }

  /** Takes a person's no for the next time too; what was remembered before ends. @throws ConsentryError `STORE_UNAVAILABLE` */
  async refuse(remember: Remembrance): Promise<void> {
    await this.#keep([{ refused: true }], remember, () => true)
    this.#forThisRun = []
  }

  /** Remembers what is done about folders that the server keeps; an earlier choice ends. @throws ConsentryError `STORE_UNAVAILABLE` */
  async keepChoice(choice: KeptChoice, remember: Remembrance): Promise<void> {
    await this.#keep([{ keptFolders: choice }], remember, ({ details }) => readKeptChoice(details) !== undefined)
  }

  /** @returns false where nothing can be kept */
  async #keep(details: readonly Grant['details'][], { until }: Remembrance, isOver: (before: Grant) => boolean): Promise<boolean> {
    const { store, server } = this.#options
    if (!store) return false
    const before = await store.find(server, 'roots')
    for (const one of details) await store.add(server, { kind: 'roots', details: one, expiresAt: until })
    for (const one of before.filter(isOver)) await store.revoke(one.id)
    await this.#read()
    return true
  }

  async #read(): Promise<void> {
    const { store, server, folders } = this.#options
    const grants = (await store?.find(server, 'roots')) ?? []
    const entries = grants.flatMap(({ details }) => readGrantedEntry(details) ?? [])
    this.#keptChoice = grants.map(({ details }) => readKeptChoice(details)).find((choice) => choice !== undefined)
    this.#isRefused = grants.some(({ details }) => isRefusal(details))
    this.#remembered = renewFolders(this.#remembered, entries, folders)
  }
}

function detailsOf({ path, entry: { name, mark, repository } }: ConsentedFolder): Grant['details'] {
  return { path, ...(name !== undefined && { name }), ...(mark && { mark: { ...mark } }), ...(repository !== undefined && { repository }) }
}

/** Whether a new yes to these paths takes the place of what was said before. */
function isEnded(details: Grant['details'], paths: ReadonlySet<string>): boolean {
  const { path } = details
  return isRefusal(details) || (typeof path === 'string' && paths.has(path))
}

/** The folder that a remembered consent is for; undefined where it is for none, or cannot be read. */
export function readGrantedEntry(details: Grant['details']): RootEntry | undefined {
  const { path, name, mark, repository } = details
  if (typeof path !== 'string') return undefined
  const { object, born } = isJsonObject(mark) ? mark : {}
  return {
    path,
    ...(typeof name === 'string' && { name }),
    ...(typeof repository === 'string' && { repository }),
    ...(typeof object === 'string' && { mark: { object, ...(typeof born === 'string' && { born }) } }),
  }
}

/** What a person had remembered about folders that a server keeps; undefined where it is about something else. */
export function readKeptChoice(details: Grant['details']): Exclude<KeptChoice, 'stand-in'> | undefined {
  const { keptFolders: choice } = details
  return choice === 'restart' || choice === 'leave' ? choice : undefined
}

/** Whether a remembered decision is a no to every folder. */
export function isRefusal(details: Grant['details']): boolean {
  return details['refused'] === true
}
