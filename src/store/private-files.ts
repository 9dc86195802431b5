import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The files of the state folder: everything is created for the user alone (0600, folders 0700), and never seen half written. */
export interface PrivateFiles {
  /** @returns undefined where there is no such file */
  read(path: string): Promise<string | undefined>
  /** Something that differs as soon as the file was written or replaced; undefined where there is no such file. */
  version(path: string): Promise<string | undefined>
  /** Puts a text in the place of a file, at once: after a crash, or a power cut, it is the old text or the new one. */
  replace(path: string, text: string): Promise<void>
  /** Reads, changes and replaces a file, one process at a time. Nothing is written when `change` throws. */
  rewrite(path: string, change: (text: string | undefined) => string): Promise<void>
  /** Makes an empty file where there is none. */
  create(path: string): Promise<void>
}

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const LOCK_TRIES = 200
const LOCK_PAUSE = 25
/** Milliseconds after which a lock belongs to a process that died. */
const LOCK_LIFE = 10_000

/** The real disk. */
export const privateFiles: PrivateFiles = {
  read: (path) => unlessMissing(readText(path)),

  async version(path) {
    const found = await unlessMissing(stat(path, { bigint: true }))
    return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':')
  },

  async replace(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const target = await followLinks(path)
    const draft = `${target}.${randomBytes(6).toString('hex')}.new`
    const handle = await open(draft, 'wx', FILE_MODE)
    try {
      await handle.writeFile(text)
      await handle.sync()
      await handle.close()
      await rename(draft, target)
    } catch (error) {
      await handle.close()
      await unlessMissing(unlink(draft))
      throw error
    }
  },

  async rewrite(path, change) {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const lock = `${path}.lock`
    await takeLock(lock)
    try {
      await privateFiles.replace(path, change(await privateFiles.read(path)))
    } finally {
      await unlessMissing(unlink(lock))
    }
  },

  async create(path) {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    try {
      await (await open(path, 'wx', FILE_MODE)).close()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      // By name, not by handle: closing a handle of a database file would take away the locks that this process holds on it.
      await chmod(path, FILE_MODE)
    }
  },
}

async function readText(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (await open(lock, 'wx', FILE_MODE)).close()
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || tries === LOCK_TRIES) throw error
    }
    const found = await unlessMissing(stat(lock))
    if (found !== undefined && Date.now() - found.mtimeMs > LOCK_LIFE) await unlessMissing(unlink(lock))
    else await pause(LOCK_PAUSE)
  }
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
