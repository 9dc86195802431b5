import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { ConsentryError } from '../errors.ts'

/** Files of one short text each, for the user alone, that are written over in their place again and again. */
export interface RecordFiles {
  /** @returns undefined where there is no such file */
  read(path: string): string | undefined
  /** Kept for good when it returns: after a crash, or a power cut, it is the old text or the new one. @throws ConsentryError `STORE_UNAVAILABLE` when something else than a file is there */
  write(path: string, text: string): void
}

/** Bytes of every record. It starts with a sector of the disk, and is smaller than any: it is written whole, or not at all. */
const SIZE = 256
const FILE_MODE = 0o600
const { O_CREAT, O_RDONLY, O_RDWR } = constants
/** What waits for a peer (a pipe that somebody put there) is not waited for. Windows has neither. */
const unblocked = (constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0

/**
 * The real disk, without giving way: one open and one write are cheaper than being called back, and whoever writes here holds a lock on others meanwhile.
 */
export const recordFiles: RecordFiles = {
  read(path) {
    try {
      return using(path, O_RDONLY, (handle) => {
        const bytes = Buffer.alloc(SIZE)
        return bytes.toString('utf8', 0, readSync(handle, bytes, 0, SIZE, 0))
      })
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined
      throw error
    }
  },

  write(path, text) {
    const bytes = Buffer.from(`${text.padEnd(SIZE - 1)}\n`)
    if (bytes.length !== SIZE) throw new ConsentryError('INTERNAL', `A record holds less than ${SIZE} bytes`)
    using(path, O_RDWR | O_CREAT, (handle) => {
      writeSync(handle, bytes, 0, SIZE, 0)
      fdatasyncSync(handle)
    })
  },
}

function using<Result>(path: string, flags: number, work: (handle: number) => Result): Result {
  const handle = openSync(path, flags | unblocked, FILE_MODE)
  try {
    if (!fstatSync(handle).isFile()) throw new ConsentryError('STORE_UNAVAILABLE', `${path} is no regular file: move it away`, { data: { file: path } })
    return work(handle)
  } finally {
    closeSync(handle)
  }
}
