import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, realpath, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { isAbandoned, LOCK_LIFE, swapFile } from './swap-file.ts'

/** The files of the state folder: everything is created for the user alone (0600, folders 0700), and never seen half written. */
export interface PrivateFiles {
  /** @returns undefined where there is no such file. @throws ConsentryError `STORE_UNAVAILABLE` when it is no UTF-8, no regular file, or larger than any text that people write */
  read(path: string): Promise<string | undefined>
  /** Something that differs as soon as the file was written or replaced; undefined where there is no such file. */
  version(path: string): Promise<string | undefined>
  /** Puts a text in the place of a file, at once: after a crash, or a power cut, it is the old text or the new one. @throws ConsentryError `STORE_UNAVAILABLE` when something else than a file is there */
  replace(path: string, text: string): Promise<void>
  /** Reads, changes and replaces a file, one process at a time; where somebody who knows no lock wrote it meanwhile, what they wrote is read and changed. Nothing is written when `change` throws. @throws ConsentryError `STORE_UNAVAILABLE` when another process does not let go */
  rewrite(path: string, change: (text: string | undefined) => string): Promise<void>
  /** Makes a folder, and those around it, where there are none. */
  makeFolder(path: string): Promise<void>
  /** Makes a folder in which nobody can make anything, where there is none; one of ours that is there becomes such a one. */
  sealFolder(path: string): Promise<void>
  /** Makes an empty file where there is none. */
  create(path: string): Promise<void>
}

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const SEALED_MODE = 0o500
const MOST_BYTES = 64 * 1024 * 1024
/** What waits for a peer (a pipe that somebody put there) is not waited for. Windows has neither. */
const UNBLOCKED = (constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0
/** How often a file is changed anew that somebody else writes at the same time. */
const REWRITES = 20
/** Milliseconds between two tries to take a lock. */
const LOCK_PAUSE = 25
/** Milliseconds that a lock is waited for: longer than one that nobody takes away can live, be it from a clock that is ahead by less than a life. */
const LOCK_PATIENCE = 2 * LOCK_LIFE + 2000

/** The real disk. */
export const privateFiles: PrivateFiles = {
  read: (path) => unlessMissing(readText(path)),

  async version(path) {
    const found = await unlessMissing(stat(path, { bigint: true }))
    return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':')
  },

  makeFolder,

  async sealFolder(path) {
    await makeFolder(path)
    // What a link leads to is not ours to close.
    const found = await lstat(path)
    if (found.isDirectory() && (found.mode & 0o777) !== SEALED_MODE) await chmod(path, SEALED_MODE)
  },

  async replace(path, text) {
    await makeFolder(dirname(path))
    await put(path, text)
  },

  async rewrite(path, change) {
    await makeFolder(dirname(path))
    const lock = `${path}.lock`
    await takeLock(lock)
    try {
      for (let tries = 1; ; tries += 1) {
        const text = await privateFiles.read(path)
        const isTaken = await put(path, change(text), async () => (await privateFiles.read(path)) === text)
        if (isTaken) return
        if (tries === REWRITES) throw new ConsentryError('STORE_UNAVAILABLE', `${path} is written by another program all the time: end that, and try again`)
      }
    } finally {
      await unlessMissing(unlink(lock))
    }
  },

  async create(path) {
    await makeFolder(dirname(path))
    try {
      await (await open(path, 'wx', FILE_MODE)).close()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      // By name, not by handle: closing a handle of a database file would take away the locks that this process holds on it.
      await chmod(path, FILE_MODE)
    }
  },
}

/** @param isSame the last look before it is there; where it says no, the old file stays, and so says the result */
async function put(path: string, text: string, isSame: () => Promise<boolean> = () => Promise.resolve(true)): Promise<boolean> {
  const target = await followLinks(path)
  await requireFile(target)
  const lastLook = async (): Promise<void> => {
    if (!(await isSame())) throw new Changed()
  }
  try {
    await swapFile(target, text, { mode: FILE_MODE, lastLook })
    return true
  } catch (error) {
    if (error instanceof Changed) return false
    throw error
  }
}

class Changed extends Error {}

/** Level by level: Node's own way tries for ever where a folder takes no others (`/proc`). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: FOLDER_MODE })
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') {
      if (await isFolder(path)) return
      throw error
    }
    if (dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: FOLDER_MODE }).catch(async (again: unknown) => ((await isFolder(path)) ? undefined : Promise.reject(again as Error)))
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function readText(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | UNBLOCKED)
  try {
    const found = await handle.stat()
    // A pipe would be waited for, a device read, for ever.
    if (!found.isFile()) throw new ConsentryError('STORE_UNAVAILABLE', `${path} is no regular file: move it away`, { data: { file: path } })
    if (found.size > MOST_BYTES)
      throw new ConsentryError('STORE_UNAVAILABLE', `${path} is larger than ${MOST_BYTES} bytes: make it smaller`, { data: { file: path } })
    return decode(await handle.readFile(), path)
  } finally {
    await handle.close()
  }
}

/** What cannot be read whole would be written back with something else in its place. */
function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ConsentryError('STORE_UNAVAILABLE', `${path} is not UTF-8 text: save it as UTF-8`, { cause, data: { file: path } })
  }
}

async function takeLock(lock: string): Promise<void> {
  const deadline = performance.now() + LOCK_PATIENCE
  for (;;) {
    try {
      return await (await open(lock, 'wx', FILE_MODE)).close()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (performance.now() > deadline) throw lockedBy(lock, error)
    }
    const found = await unlessMissing(stat(lock))
    if (found !== undefined && isAbandoned(found)) await unlessMissing(unlink(lock)).catch((cause: unknown) => Promise.reject(lockedBy(lock, cause)))
    else await pause(LOCK_PAUSE)
  }
}

function lockedBy(lock: string, cause: unknown): ConsentryError {
  return new ConsentryError('STORE_UNAVAILABLE', `${lock} is in the way: delete it if no other consentry is running`, { cause, data: { file: lock } })
}

/** Renaming over a pipe or a device would put an ordinary file in its place. */
async function requireFile(path: string): Promise<void> {
  const found = await unlessMissing(stat(path))
  if (found !== undefined && !found.isFile())
    throw new ConsentryError('STORE_UNAVAILABLE', `${path} is no regular file, and is not replaced by one: name a file`, { data: { file: path } })
}

/** A config that is a link into somebody's dotfiles stays one. */
async function followLinks(path: string): Promise<string> {
  return (await unlessMissing(realpath(path))) ?? path
}

async function unlessMissing<Value>(result: Promise<Value>): Promise<Value | undefined> {
  try {
    return await result
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
