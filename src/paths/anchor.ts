import { closeSync, constants, existsSync, fstat as statDescriptor, open as openDescriptor, readlinkSync, watch, type BigIntStats, type Stats } from 'node:fs'
import { lstat, mkdir, open, opendir, realpath, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { faultOf } from './disk-entry.ts'
import type { DiskFault } from './disk.ts'
import { pathOf, placeAt, placeBelow, type Place } from './place.ts'

/**
 * How far a boundary holds while somebody swaps links and folders under it.
 *
 * `race-free`: what is checked is the very object that is used (Linux). `checked`: what was opened is compared once more before a byte of it is read or written, while
 * making, moving and removing go by names that were looked at right before. `best-effort`: the same where the system follows names in ways that cannot all be looked at (Windows).
 */
export type GuaranteeLevel = 'race-free' | 'checked' | 'best-effort'

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

export interface FolderEntry {
  readonly name: string
  readonly kind: EntryKind
}

/** Opens nothing, and is nothing but a hold on what a path leads to: Linux only, and not among Node's own constants. */
const O_PATH = 0x20_0000
const DESCRIPTORS = '/proc/self/fd'
const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
const ACCESS: Readonly<Record<FileAccess, number>> = { read: O_RDONLY, write: O_RDWR, append: O_WRONLY | O_APPEND }

const holdPath = promisify(openDescriptor) as (path: string, flags: number) => Promise<number>
const factsOfHeld = promisify(statDescriptor) as (descriptor: number) => Promise<Stats>

/** What this machine can promise. */
export function guaranteeHere(): GuaranteeLevel {
  if (process.platform === 'win32') return 'best-effort'
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? 'race-free' : 'checked'
}

/**
 * Takes hold of what a path leads to, links followed, without opening it: no pipe waits, no device wakes.
 * Whether it may be used is decided on {@link Anchor.place}, which is where it really is.
 */
export async function openAnchor(path: string, level: GuaranteeLevel = guaranteeHere()): Promise<Anchor | DiskFault> {
  try {
    if (level === 'race-free') return await holdObject(path, O_PATH)
    const real = await realpath(path)
    const place = placeAt(real, process.platform === 'win32' ? 'win32' : 'posix')
    return place ? new Anchor({ place, reach: real, identity: identityOf(await lstat(real, { bigint: true })) }) : 'failed'
  } catch (error) {
    return faultOf((error as NodeJS.ErrnoException).code).kind
  }
}

async function holdObject(path: string, flags: number): Promise<Anchor | DiskFault> {
  const descriptor = await holdPath(path, flags)
  const reach = `${DESCRIPTORS}/${descriptor}`
  try {
    // Asks no disk: the kernel knows where it has been.
    const real = readlinkSync(reach)
    const place = real.startsWith('/') && !(real.endsWith(' (deleted)') && (await isGone(real, descriptor))) ? placeAt(real, 'posix') : undefined
    if (place) return new Anchor({ place, reach, descriptor })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  closeSync(descriptor)
  return 'missing'
}

/** The kernel adds those words to what has been removed; a file may be called so as well. */
async function isGone(path: string, descriptor: number): Promise<boolean> {
  const held = await factsOfHeld(descriptor)
  const named = await lstat(path).catch(() => undefined)
  return named?.ino !== held.ino || named.dev !== held.dev
}

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
    const { descriptor, reach } = this.#hold
    return factsOf(descriptor === undefined ? await lstat(reach) : await factsOfHeld(descriptor))
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
  async look(name: string): Promise<EntryKind | undefined> {
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
    await this.#check()
    if ((await this.look(name)) !== 'folder') return unlink(this.#at(name))
    if (recursive) await this.#empty(name)
    await rmdir(this.#at(name))
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
    return !this.#isClosed && readlinkSync(reach) === pathOf(this.place)
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#hold.descriptor !== undefined) closeSync(this.#hold.descriptor)
  }

  async #empty(name: string): Promise<void> {
    // A link that takes the folder's place meanwhile is not followed.
    const held =
      this.#hold.descriptor === undefined ? await openAnchor(this.#at(name), 'checked') : await holdObject(this.#at(name), O_PATH | O_NOFOLLOW | O_DIRECTORY)
    if (typeof held === 'string') throw fault('ESTALE')
    try {
      const { entries } = await held.list(Number.POSITIVE_INFINITY)
      for (const entry of entries) await held.removeEntry(entry.name, { recursive: true })
    } finally {
      held.close()
    }
  }

  #at(name: string): string {
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

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function fault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}
