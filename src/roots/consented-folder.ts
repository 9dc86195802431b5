import { readRootPath, type Disk, type DiskObject, type RootReading } from '../paths/index.ts'
import type { Phrase, Root, RootState, RootStatus } from '../protocol/index.ts'
import { bearsMark, findConsentedObject, isSameObject, markOf } from './folder-mark.ts'
import type { FolderJudge } from './folder-judge.ts'
import type { FolderMark, RootEntry } from './root-entry.ts'
import { concernPhrase, pathPhrase, rootPhrase } from './root-phrase.ts'

/** What was seen of a folder just now. */
export interface FolderSighting {
  readonly state: FolderState
  /** What may be told, with the identity of what lies there; absent unless the status is `ok`. */
  readonly told?: { readonly root: Root; readonly identity: string; readonly repository?: string | undefined } | undefined
}

/** A consented folder with its status, and why it is not told. */
export type FolderState = RootState

export interface ConsentedFolderOptions {
  readonly disk: Disk
  /** What `~` stands for. */
  readonly home?: string | undefined
  readonly judge: FolderJudge
  /** Called when the folder is first found wanting, and whenever its status changes. */
  readonly report?: ((state: FolderState) => void) | undefined
}

/** How Windows abbreviates a long name; the disk knows which. */
const SHORT_NAME = /~\d/

/**
 * One folder that the user consented to, and what lies there.
 *
 * Consent is given to the folder that lay there when it was first seen, or that bears the consent's mark: what takes its place later,
 * another folder or a link to one, is not told; a file that is saved anew under its name is. Neither is what must never be told, whoever consented.
 */
export class ConsentedFolder {
  readonly #options: ConsentedFolderOptions
  readonly #reading: RootReading
  #entry: RootEntry
  #object: DiskObject | undefined
  #refusal: Promise<Phrase | undefined> | undefined
  /** When its rights were last changed, as far as it could be read with them. */
  #readableSince: string | undefined
  #status: RootStatus = 'ok'
  #latest: { readonly began: number; readonly sighting: Promise<FolderSighting>; isOver: boolean } | undefined
  #seen: FolderSighting | undefined

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

  /** As the user wrote it, with the mark of what was seen there. */
  get entry(): RootEntry {
    const mark: FolderMark | undefined = this.#object ? markOf(this.#object) : this.#entry.mark
    return mark ? { ...this.#entry, mark } : this.#entry
  }

  /** Follows a change of the displayed name, or of what else may be read: the consent to the folder stays the same. */
  rename({ path, name, repository }: RootEntry): void {
    this.#entry = { ...this.#entry, path, name, repository }
  }

  /** Looks what lies there now; with `maxAge`, what is being looked at, or was seen at most so many milliseconds ago, will do. Never rejects. */
  look(maxAge = 0): Promise<FolderSighting> {
    const now = performance.now()
    if (maxAge > 0 && this.#latest && (!this.#latest.isOver || now - this.#latest.began < maxAge)) return this.#latest.sighting
    const latest = { began: now, sighting: this.#look(), isOver: false }
    this.#latest = latest
    void latest.sighting.then(() => (latest.isOver = true))
    return latest.sighting
  }

  /** What was seen at most so many milliseconds ago; undefined where somebody has to look. It is the same object for as long as the same is seen. */
  recall(maxAge: number): FolderSighting | undefined {
    return this.#latest?.isOver && performance.now() - this.#latest.began < maxAge ? this.#seen : undefined
  }

  async #look(): Promise<FolderSighting> {
    const { path, name, repository } = this.#entry
    if (!this.#reading.ok) return this.#saw({ state: { path, name, status: 'missing', reason: pathPhrase(this.#reading.problem) } })
    const { status, identity, reason } = await this.#probe(this.#reading.path)
    const uri = status === 'ok' ? await this.#findUri(this.#reading) : this.#reading.uri
    if (status !== 'ok') return this.#saw({ state: { path, name, status, uri, reason: reason ?? rootPhrase(`folder-${status}`, {}) } })
    return this.#saw({ state: { path, name, status, uri, repository }, told: { root: name === undefined ? { uri } : { uri, name }, identity, repository } })
  }

  async #probe(path: string): Promise<{ readonly status: Exclude<RootStatus, 'unmapped'>; readonly identity: string; readonly reason?: Phrase | undefined }> {
    const { disk } = this.#options
    const entry = await disk.inspect(path)
    if (!('identity' in entry)) {
      const status = entry.kind === 'denied' || entry.kind === 'unreachable' ? entry.kind : 'missing'
      return { status, identity: '' }
    }
    const { kind, identity } = entry
    if (!this.#isTheOne(await findConsentedObject(path, entry, disk))) return { status: 'replaced', identity }
    const refusal = await (this.#refusal ??= this.#findRefusal(path))
    if (refusal !== undefined) return { status: 'denied', identity, reason: refusal }
    return { status: kind !== 'other' && (await this.#canRead(path, kind, entry)) ? 'ok' : 'denied', identity }
  }

  /** Rights that have not changed are not asked for again: that is half the cost of watching. */
  async #canRead(path: string, kind: 'folder' | 'file', { changed }: DiskObject): Promise<boolean> {
    if (changed !== undefined && changed === this.#readableSince) return true
    const canRead = await this.#options.disk.canRead(path, kind)
    this.#readableSince = canRead ? changed : undefined
    return canRead
  }

  #isTheOne(found: DiskObject): boolean {
    const { mark } = this.#entry
    const isSame = this.#object ? isSameObject(this.#object, found) : mark === undefined || bearsMark(found, mark)
    // What was made just now may have had no birth yet.
    if (isSame && this.#object?.born === undefined) this.#object = found
    return isSame
  }

  async #findRefusal(path: string): Promise<Phrase | undefined> {
    const { level, concern } = await this.#options.judge.judge(path)
    return level === 'block' && concern ? concernPhrase(concern) : undefined
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
    if (this.#seen === undefined || !isSameSighting(this.#seen, sighting)) this.#seen = sighting
    return this.#seen
  }
}

function isSameSighting({ state: one, told }: FolderSighting, { state: other, told: toldNow }: FolderSighting): boolean {
  const isSameState = one.status === other.status && one.path === other.path && one.name === other.name && one.uri === other.uri
  return isSameState && one.reason?.sentence === other.reason?.sentence && told?.identity === toldNow?.identity && told?.repository === toldNow?.repository
}

/** Consented folders for new entries; those whose path was there before, and that mean the same object, stay what they are. */
export function renewFolders(before: readonly ConsentedFolder[], entries: readonly RootEntry[], options: ConsentedFolderOptions): readonly ConsentedFolder[] {
  const known = new Map(before.map((folder) => [folder.path, folder]))
  return entries.map((entry) => {
    const folder = new ConsentedFolder(entry, options)
    const same = known.get(folder.path)
    if (!same || (entry.mark && entry.mark.object !== same.entry.mark?.object)) return folder
    same.rename(entry)
    return same
  })
}
