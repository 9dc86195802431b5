import { readRootPath, type Disk, type RootReading } from '../paths/index.ts'
import type { Root, RootState, RootStatus } from '../protocol/index.ts'
import type { RootEntry } from './root-entry.ts'

/** What was seen of a folder just now. */
export interface FolderSighting {
  readonly state: FolderState
  /** What may be told, with the identity of what lies there; absent unless the status is `ok`. */
  readonly told?: { readonly root: Root; readonly identity: string } | undefined
}

/** A {@link RootState} that says in a sentence why its folder is not told. */
export interface FolderState extends RootState {
  readonly reason?: string | undefined
}

export interface ConsentedFolderOptions {
  readonly disk: Disk
  readonly home?: string | undefined
  /** Called when the folder is first found wanting, and whenever its status changes. */
  readonly report?: ((state: FolderState) => void) | undefined
}

const reasons: Readonly<Record<Exclude<RootStatus, 'ok'>, string>> = {
  missing: 'There is no such folder or file; it is told as soon as it is there.',
  denied: 'It may not be read by this user.',
  replaced: 'Another folder has taken its place; remove it and add it again to consent to that one.',
  unreachable: 'Its disk does not answer.',
}
/** How Windows abbreviates a long name; the disk knows which. */
const SHORT_NAME = /~\d/

/**
 * One folder that the user consented to, and what lies there.
 *
 * Consent is given to the folder that lay there when it was first seen, known by device and inode: what takes its place later,
 * another folder or a link to one, is not told.
 */
export class ConsentedFolder {
  readonly #options: ConsentedFolderOptions
  readonly #reading: RootReading
  #entry: RootEntry
  #identity: string | undefined
  #status: RootStatus = 'ok'

  constructor(entry: RootEntry, options: ConsentedFolderOptions) {
    this.#entry = entry
    this.#options = options
    this.#reading = readRootPath(entry.path, options.disk.platform, { home: options.home })
  }

  /** Equal for two spellings of one path. */
  get path(): string {
    return this.#reading.ok ? this.#reading.path : this.#entry.path
  }

  /** Why no folder can have this path, if none can. */
  get refusal(): Extract<RootReading, { ok: false }> | undefined {
    return this.#reading.ok ? undefined : this.#reading
  }

  /** Follows a change of the displayed name: the consent stays the same. */
  rename(entry: RootEntry): void {
    this.#entry = entry
  }

  /** Looks what lies there now. Never rejects. */
  async look(): Promise<FolderSighting> {
    const { path, name } = this.#entry
    if (!this.#reading.ok) return this.#saw({ state: { path, name, status: 'missing', reason: this.#reading.reason } })
    const { status, identity } = await this.#probe(this.#reading.path)
    const uri = status === 'ok' ? await this.#findUri(this.#reading) : this.#reading.uri
    if (status !== 'ok') return this.#saw({ state: { path, name, status, uri, reason: reasons[status] } })
    return this.#saw({ state: { path, name, status, uri }, told: { root: name === undefined ? { uri } : { uri, name }, identity } })
  }

  async #probe(path: string): Promise<{ readonly status: RootStatus; readonly identity: string }> {
    const { disk } = this.#options
    const entry = await disk.inspect(path)
    if (!('identity' in entry)) {
      const status = entry.kind === 'denied' || entry.kind === 'unreachable' ? entry.kind : 'missing'
      return { status, identity: '' }
    }
    const { kind, identity } = entry
    this.#identity ??= identity
    if (this.#identity !== identity) return { status: 'replaced', identity }
    return { status: kind !== 'other' && (await disk.canRead(path, kind)) ? 'ok' : 'denied', identity }
  }

  /** The whole name of a folder that was given by its Windows abbreviation. */
  async #findUri({ path, uri }: { readonly path: string; readonly uri: string }): Promise<string> {
    const { disk } = this.#options
    if (disk.platform === 'posix' || !SHORT_NAME.test(path)) return uri
    const long = readRootPath((await disk.realPath(path)) ?? path, disk.platform)
    return long.ok ? long.uri : uri
  }

  #saw(sighting: FolderSighting): FolderSighting {
    const { status } = sighting.state
    const isNews = status !== this.#status
    this.#status = status
    if (isNews) this.#options.report?.(sighting.state)
    return sighting
  }
}

/** Consented folders for new entries; those whose path was there before stay what they are. */
export function renewFolders(before: readonly ConsentedFolder[], entries: readonly RootEntry[], options: ConsentedFolderOptions): readonly ConsentedFolder[] {
  const known = new Map(before.map((folder) => [folder.path, folder]))
  return entries.map((entry) => {
    const folder = new ConsentedFolder(entry, options)
    const same = known.get(folder.path)
    same?.rename(entry)
    return same ?? folder
  })
}
