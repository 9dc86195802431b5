import type { Anchor, EntryKind, FileAccess, FileRights, GuaranteeLevel, OpenFile, Operation, Place } from '../paths/index.ts'
import { nameOf, pathOf, placeBelow } from '../paths/index.ts'
import type {
  AtPath,
  CreateOptions,
  FileContent,
  FileOpened,
  FileOptions,
  FolderContent,
  ListOptions,
  Moved,
  OpenOptions,
  PathFacts,
  ReadOptions,
  RemoveOptions,
  RenameOptions,
  ResolvedPath,
  WatchedPath,
  WatchEvent,
  WriteOptions,
} from './file-results.ts'
import { PathHolder, type PathHolderOptions } from './path-holder.ts'
import { cannotUse, ourError } from './refusals.ts'
import { watchAnchor } from './watch-anchor.ts'

export interface GuardedFilesOptions extends PathHolderOptions {
  readonly level: GuaranteeLevel
  readonly newId: () => string
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const MOST_ENTRIES = 10_000
/** What is read is written back as it was, a mark of the byte order included. */
const textOf = new TextDecoder('utf-8', { ignoreBOM: true })
const PIECE = 1024 * 1024

/**
 * Files inside roots, and none outside: every method decides on the object that it then uses.
 *
 * Each may throw `ROOTS_UNAVAILABLE` (no folder can be used), `PATH_REFUSED` (not in a root; the message names those) and `PATH_UNUSABLE` (in a root, but it
 * cannot be done); `data.reason` says which in one word. Links are followed where they stay inside; hard links cannot be told apart.
 */
export class GuardedFiles {
  /** What this machine promises while names are swapped. */
  readonly level: GuaranteeLevel
  readonly #paths: PathHolder
  readonly #options: GuardedFilesOptions

  constructor(options: GuardedFilesOptions) {
    this.level = options.level
    this.#options = options
    this.#paths = new PathHolder(options)
  }

  /** Where a path leads. It may change right after: hand the path itself to the other methods, which decide anew. */
  async resolve(path: string, options: FileOptions = {}): Promise<ResolvedPath> {
    const found = await this.#paths.find(path, 'read', options)
    if (!('anchor' in found)) return { path: pathOf(found.place), exists: false }
    found.anchor.close()
    return { path: pathOf(found.anchor.place), exists: true }
  }

  /** Opens a file that is there. */
  open(path: string, { access = 'read', ...options }: OpenOptions = {}): Promise<FileOpened> {
    return this.#paths.use(path, access === 'read' ? 'read' : 'write', options, async (anchor) => ({
      path: pathOf(anchor.place),
      handle: await openOrdinary(anchor, access),
    }))
  }

  /** Reads a whole file. */
  readFile(path: string, { maxBytes = DEFAULT_MAX_BYTES, ...options }: ReadOptions = {}): Promise<FileContent> {
    return this.#paths.use(path, 'read', options, async (anchor) => {
      const where = pathOf(anchor.place)
      const bytes = await withFile(await openOrdinary(anchor, 'read'), (handle) => readAll(handle, maxBytes))
      if (bytes === undefined) throw cannotUse('too-large', where)
      return {
        path: where,
        bytes,
        get text(): string {
          return textOf.decode(bytes)
        },
      }
    })
  }

  /** Puts a whole file in place, in one step: whoever reads sees the old content or the new. Other names of the old file (hard links) keep the old content. */
  async writeFile(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<AtPath> {
    const { place, kind, rights } = await this.#look(path, 'write', options)
    if (kind !== undefined && kind !== 'file') throw cannotUse('not-a-file', pathOf(place))
    const written = await this.#paths.useFolderOf(place, options, async (folder) => {
      const draft = `.consentry-${this.#options.newId()}`
      // Nobody may read it who could not read the old one, not even while it is written.
      await makeFile(folder, { name: draft, mode: rights && rights.mode & 0o600 }, async (handle) => {
        await handle.writeFile(data)
        if (rights) await setRights(handle, rights)
        await handle.sync()
        await folder.moveEntry(draft, folder, nameOf(place))
      })
      return atEntry(folder, nameOf(place))
    })
    return written ?? this.#overwrite(path, data, options)
  }

  /** Makes a file or a folder where nothing is. */
  async create(path: string, { kind = 'file', data = '', ...options }: CreateOptions = {}): Promise<AtPath> {
    const { place, kind: there } = await this.#look(path, 'create', options)
    const created = await this.#paths.useFolderOf(place, options, async (folder) => {
      if (there !== undefined) throw cannotUse('exists', pathOf(place))
      const name = nameOf(place)
      if (kind === 'folder') await folder.makeFolder(name)
      else await makeFile(folder, { name }, (handle) => handle.writeFile(data))
      return atEntry(folder, name)
    })
    if (created === undefined) throw cannotUse(there === undefined ? 'no-access' : 'exists', pathOf(place))
    return created
  }

  /** What a folder holds. Where its links lead is not told: ask for each. */
  list(path: string, { maxEntries = MOST_ENTRIES, ...options }: ListOptions = {}): Promise<FolderContent> {
    return this.#paths.use(path, 'list', options, async (anchor) => {
      const where = pathOf(anchor.place)
      if ((await anchor.facts()).kind !== 'folder') throw cannotUse('not-a-folder', where)
      const { entries, isWhole } = await anchor.list(maxEntries)
      return { path: where, entries: entries.toSorted((one, other) => (one.name < other.name ? -1 : 1)), isWhole }
    })
  }

  /** Size, kind and age. */
  stat(path: string, options: FileOptions = {}): Promise<PathFacts> {
    return this.#paths.use(path, 'read', options, async (anchor) => ({ path: pathOf(anchor.place), ...(await anchor.facts()) }))
  }

  /** Moves a file, a folder or a link (as a link). What has the other name is replaced only where that is said. */
  rename(from: string, to: string, { replace = false, parents, ...options }: RenameOptions = {}): Promise<Moved> {
    return this.#paths.useEntry(from, options, async (folder, name) => {
      const start = atEntry(folder, name).path
      if ((await folder.look(name)) === undefined) throw cannotUse('not-found', start)
      return this.#paths.useEntry(to, { ...options, parents }, async (target, other) => {
        const end = atEntry(target, other).path
        if (!replace && (await target.look(other)) !== undefined) throw cannotUse('exists', end)
        await folder.moveEntry(name, target, other)
        return { from: start, to: end }
      })
    })
  }

  /** Removes a file, a link (never what it leads to) or an empty folder; a folder with all that is in it only where that is said. */
  remove(path: string, { recursive, ...options }: RemoveOptions = {}): Promise<AtPath> {
    return this.#paths.useEntry(path, options, async (folder, name) => {
      const entry = atEntry(folder, name)
      if ((await folder.look(name)) === undefined) throw cannotUse('not-found', entry.path)
      await folder.removeEntry(name, { recursive })
      return entry
    })
  }

  /** Calls back when a file, or something right in a folder, has changed, until it is closed or has ended. Keeps no process alive. */
  async watch(path: string, listener: (event: WatchEvent) => void, options: FileOptions = {}): Promise<WatchedPath> {
    const found = await this.#paths.find(path, 'read', options)
    if (!('anchor' in found)) throw cannotUse('not-found', pathOf(found.place))
    return watchAnchor(found.anchor, this.#options.roots, listener)
  }

  /** A root that is a file has no folder of ours around it: what is in it is written over, and put back where that fails. */
  #overwrite(path: string, data: string | Uint8Array, options: FileOptions): Promise<AtPath> {
    return this.#paths.use(path, 'write', options, async (anchor) => {
      const before = await withFile(await openOrdinary(anchor, 'read'), (handle) => readAll(handle, DEFAULT_MAX_BYTES))
      await withFile(await openOrdinary(anchor, 'write'), async (handle) => {
        await writeOver(handle, Buffer.from(data)).catch(async (error: unknown) => {
          if (before) await writeOver(handle, before)
          throw error
        })
      })
      return { path: pathOf(anchor.place) }
    })
  }

  async #look(path: string, operation: Operation, options: FileOptions): Promise<Looked> {
    const found = await this.#paths.find(path, operation, options)
    if (!('anchor' in found)) return { place: found.place }
    const { anchor } = found
    try {
      const { kind } = await anchor.facts()
      if (operation === 'write' && kind === 'file') await anchor.checkWritable()
      return { place: anchor.place, kind, rights: await anchor.rights() }
    } catch (error) {
      throw ourError(error, pathOf(anchor.place))
    } finally {
      anchor.close()
    }
  }
}

/** Where a path leads, and what is there, if anything is. */
interface Looked {
  readonly place: Place
  readonly kind?: EntryKind
  readonly rights?: FileRights
}

function atEntry(folder: Anchor, name: string): AtPath {
  return { path: pathOf(placeBelow(folder.place, name)) }
}

async function openOrdinary(anchor: Anchor, access: FileAccess): Promise<OpenFile> {
  if ((await anchor.facts()).kind !== 'file') throw cannotUse('not-a-file', pathOf(anchor.place))
  return anchor.openFile(access)
}

async function withFile<Result>(handle: OpenFile, action: (handle: OpenFile) => Promise<Result>): Promise<Result> {
  try {
    return await action(handle)
  } finally {
    await handle.close()
  }
}

/** Another file in the place of one keeps whose it is, where that can be given away, and who may do what; it never takes on the rights of its owner when it is run. */
async function setRights(handle: OpenFile, { mode, user, group }: FileRights): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid !== user || gid !== group) await handle.chown(user, group).catch(() => undefined)
  await handle.chmod(mode)
}

/** A file that could not be filled is not left behind. */
async function makeFile(
  folder: Anchor,
  { name, mode }: { readonly name: string; readonly mode?: number | undefined },
  fill: (handle: OpenFile) => Promise<void>,
): Promise<void> {
  const handle = await folder.createFile(name, mode)
  try {
    await withFile(handle, fill)
  } catch (error) {
    await folder.removeEntry(name).catch(() => undefined)
    throw error
  }
}

/** In this order a full disk takes as little as it can. */
async function writeOver(handle: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done, bytes.length - done, done)).bytesWritten
  await handle.truncate(bytes.length)
}

/** @returns undefined where the file holds more than may be read; one that grows meanwhile is no exception */
async function readAll(handle: OpenFile, maxBytes: number): Promise<Uint8Array | undefined> {
  const { size } = await handle.stat()
  if (size > maxBytes) return undefined
  const pieces: Uint8Array[] = []
  for (let total = 0; ;) {
    // One byte more than is expected, so that the end is seen at once.
    const { bytesRead, buffer } = await handle.read(new Uint8Array(Math.min(Math.max(size - total, 0) + 1, PIECE)))
    if (bytesRead === 0) break
    total += bytesRead
    if (total > maxBytes) return undefined
    pieces.push(buffer.subarray(0, bytesRead))
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
}
