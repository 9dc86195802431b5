import { closeSync, constants, watch, type BigIntStats, type Stats } from 'node:fs'
import { access, lstat, mkdir, open, opendir, readdir, realpath, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises'
import { DESCRIPTORS, factsOfHeld, holdFolder, readReach } from './descriptor.ts'
import { exactText } from './exact-text.ts'
import { pathOf, placeBelow, type Place } from './place.ts'

/** An open file of Node. */
export type OpenFile = FileHandle
/** What a file is opened for. `write` reads too, and keeps what is there; nothing is ever created by opening. */
export type FileAccess = 'read' | 'write' | 'append'
export type EntryKind = 'file' | 'folder' | 'link' | 'other'

export interface ObjectFacts {
  readonly kind: EntryKind
  /** In bytes. */
  readonly size: number
  /** The permission bits. */
  readonly mode: number
  readonly modifiedAt: Date
}

/** Whose a file is, and who may do what with it. */
export interface FileRights {
  readonly mode: number
  readonly user: number
  readonly group: number
}

export interface FolderEntry {
  readonly name: string
  readonly kind: EntryKind
}

const { W_OK, O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
const ACCESS: Readonly<Record<FileAccess, number>> = { read: O_RDONLY, write: O_RDWR, append: O_WRONLY | O_APPEND }

/** As bytes where no text can hold it. */
type EntryName = string | Buffer

interface Hold {
  readonly place: Place
  /** A path that leads to the object: through its descriptor, or where there is none its name. */
  readonly reach: string
  readonly descriptor?: number | undefined
  readonly identity?: string | undefined
}

/** An object on the disk that is held: what is done next is done to it, whatever its name leads to meanwhile. Close it. System errors come out as Node throws them. */
export class Anchor {
  /** Where the object really was when it was taken hold of. */
  readonly place: Place
  readonly #hold: Hold
  #isClosed = false

  constructor(hold: Hold) {
    this.place = hold.place
    this.#hold = hold
  }

  async facts(): Promise<ObjectFacts> {
    return factsOf(await this.#stats())
  }

  async rights(): Promise<FileRights> {
    const { mode, uid, gid } = await this.#stats()
    return { mode: mode & 0o777, user: uid, group: gid }
  }

  /** Throws what the system says where this user may not write there. */
  checkWritable(): Promise<void> {
    return access(this.#hold.reach, W_OK)
  }

  /** Opens a file that is there. Where its name leads elsewhere by now, `ESTALE` is thrown. */
  async openFile(access: FileAccess): Promise<OpenFile> {
    const handle = await open(this.#hold.reach, ACCESS[access] | O_NONBLOCK | O_NOCTTY)
    await this.#checkOpened(handle)
    return handle
  }

  /** @returns at most `limit` entries, in the order of the disk */
  async list(limit: number): Promise<{ readonly entries: readonly FolderEntry[]; readonly isWhole: boolean }> {
    await this.#check()
    const entries: FolderEntry[] = []
    for await (const entry of await opendir(this.#hold.reach)) {
      if (entries.length === limit) return { entries, isWhole: false }
      entries.push({ name: entry.name, kind: kindOf(entry) })
    }
    return { entries, isWhole: true }
  }

  /** What an entry is itself, a link not followed; undefined where there is none. */
  look(name: string): Promise<EntryKind | undefined> {
    return this.#look(name)
  }

  async #look(name: EntryName): Promise<EntryKind | undefined> {
    return lstat(this.#at(name)).then(kindOf, (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : Promise.reject(error)))
  }

  /** Makes a file where nothing is, not even a link. */
  async createFile(name: string, mode = 0o666): Promise<OpenFile> {
    await this.#check()
    return open(this.#at(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  }

  async makeFolder(name: string): Promise<void> {
    await this.#check()
    await mkdir(this.#at(name))
  }

  /** Moves an entry, a link as a link; what has the other name is replaced. */
  async moveEntry(name: string, folder: Anchor, other: string): Promise<void> {
    await this.#check()
    await folder.#check()
    await rename(this.#at(name), folder.#at(other))
  }

  /** Removes an entry: a link itself, never what it leads to; a folder with what is in it only where that is said. */
  async removeEntry(name: string, { recursive = false }: { readonly recursive?: boolean | undefined } = {}): Promise<void> {
    await this.#remove(name, recursive)
  }

  /** Calls back when something in the folder, or the file, has changed; keeps no process alive. @returns the function that ends it */
  watch(onChange: (name: string | undefined) => void, onEnd: () => void): () => void {
    const watcher = watch(this.#hold.reach, { persistent: false }, (_, name) => onChange(name ?? undefined))
    watcher.on('error', () => {
      watcher.close()
      onEnd()
    })
    return () => watcher.close()
  }

  /** Whether it is still where it was when it was taken hold of. */
  async isAtPlace(): Promise<boolean> {
    const { descriptor, reach } = this.#hold
    if (descriptor === undefined)
      return this.#check().then(
        () => true,
        () => false,
      )
    return !this.#isClosed && readReach(reach) === pathOf(this.place)
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#hold.descriptor !== undefined) closeSync(this.#hold.descriptor)
  }

  #stats(): Promise<Stats> {
    const { descriptor, reach } = this.#hold
    return descriptor === undefined ? lstat(reach) : factsOfHeld(descriptor)
  }

  async #remove(name: EntryName, recursive: boolean): Promise<void> {
    await this.#check()
    if ((await this.#look(name)) !== 'folder') return unlink(this.#at(name))
    if (recursive) await this.#empty(name)
    await rmdir(this.#at(name))
  }

  async #empty(name: EntryName): Promise<void> {
    const held = await this.#holdFolder(name)
    try {
      await held.#check()
      for (const entry of await readdir(held.#hold.reach, { encoding: 'buffer' })) await held.#remove(exactText(entry) ?? entry, true)
    } finally {
      held.close()
    }
  }

  /** A link that takes the folder's place meanwhile is not followed. It may lie deeper than any path can say: nobody asks where. */
  async #holdFolder(name: EntryName): Promise<Anchor> {
    if (this.#hold.descriptor !== undefined) {
      const descriptor = await holdFolder(this.#at(name))
      return new Anchor({ place: placeBelow(this.place, String(name)), reach: `${DESCRIPTORS}/${descriptor}`, descriptor })
    }
    // Without descriptors a folder is known by its path alone.
    if (typeof name !== 'string') throw fault('EILSEQ')
    const reach = this.#path(name)
    const stats = await lstat(reach, { bigint: true })
    if (!stats.isDirectory()) throw fault('ESTALE')
    return new Anchor({ place: placeBelow(this.place, name), reach, identity: identityOf(stats) })
  }

  #at(name: EntryName): string | Buffer {
    return typeof name === 'string' ? this.#path(name) : Buffer.concat([Buffer.from(`${this.#hold.reach}/`), name])
  }

  #path(name: string): string {
    return this.#hold.descriptor === undefined ? pathOf(placeBelow(this.place, name)) : `${this.#hold.reach}/${name}`
  }

  async #checkOpened(handle: OpenFile): Promise<void> {
    if (this.#hold.descriptor !== undefined) return
    try {
      await this.#check()
      if (identityOf(await handle.stat({ bigint: true })) !== this.#hold.identity) throw fault('ESTALE')
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Without a descriptor all that can be done is to look whether the name still leads to the object. */
  async #check(): Promise<void> {
    const { descriptor, reach, identity } = this.#hold
    if (descriptor !== undefined) return
    if ((await realpath(reach)) !== reach || identityOf(await lstat(reach, { bigint: true })) !== identity) throw fault('ESTALE')
  }
}

function factsOf(stats: Stats): ObjectFacts {
  return { kind: kindOf(stats), size: stats.size, mode: stats.mode & 0o7777, modifiedAt: stats.mtime }
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function fault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}
