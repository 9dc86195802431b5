import { isJsonObject, type Remembrance, type ServerIdentity } from '../protocol/index.ts'
import type { Grant, Grants } from '../policy/index.ts'
import { ConsentedFolder, renewFolders, type ConsentedFolderOptions } from './consented-folder.ts'
import type { RootEntry } from './root-entry.ts'

/** Where people's consents are kept. */
export type GrantStore = Pick<Grants, 'find' | 'add' | 'revoke'>

export interface GrantedFoldersOptions {
  readonly server: ServerIdentity
  readonly folders: ConsentedFolderOptions
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
  #recalling: Promise<void> | undefined

  constructor(options: GrantedFoldersOptions) {
    this.#options = options
  }

  get folders(): readonly ConsentedFolder[] {
    return [...this.#forThisRun, ...this.#remembered]
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
    this.#forThisRun = isKept ? others : [...others, ...folders.map(({ entry }) => new ConsentedFolder(entry, this.#options.folders))]
  }

  /** Takes a person's no for the next time too; what was remembered before ends. @throws ConsentryError `STORE_UNAVAILABLE` */
  async refuse(remember: Remembrance): Promise<void> {
    await this.#keep([{ refused: true }], remember, () => true)
    this.#forThisRun = []
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
    this.#isRefused = grants.some(({ details }) => isRefusal(details))
    this.#remembered = renewFolders(this.#remembered, entries, folders)
  }
}

function detailsOf({ path, entry: { name, mark } }: ConsentedFolder): Grant['details'] {
  return { path, ...(name !== undefined && { name }), ...(mark && { mark: { ...mark } }) }
}

/** Whether a new yes to these paths takes the place of what was said before. */
function isEnded(details: Grant['details'], paths: ReadonlySet<string>): boolean {
  const { path } = details
  return isRefusal(details) || (typeof path === 'string' && paths.has(path))
}

/** The folder that a remembered consent is for; undefined where it is for none, or cannot be read. */
export function readGrantedEntry(details: Grant['details']): RootEntry | undefined {
  const { path, name, mark } = details
  if (typeof path !== 'string') return undefined
  const { object, born } = isJsonObject(mark) ? mark : {}
  return {
    path,
    ...(typeof name === 'string' && { name }),
    ...(typeof object === 'string' && { mark: { object, ...(typeof born === 'string' && { born }) } }),
  }
}

/** Whether a remembered decision is a no to every folder. */
export function isRefusal(details: Grant['details']): boolean {
  return details['refused'] === true
}
