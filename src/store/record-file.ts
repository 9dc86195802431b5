import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { ConsentryError } from '../errors.ts'

/** Files of one short text each, for the user alone, that are written over in their place again and again. */
export interface RecordFiles {
  /** @returns undefined where there is no such file */
  read(path: string): string | undefined
  /**
   * When it returns, every process reads the new text, also after a crash of this one; on the disk it is a moment later, with others of that moment. After a power cut it is the old text or
   * the new one, and a first text is there for good.
   *
   * @throws ConsentryError `STORE_UNAVAILABLE` when something else than a file is there, or when the text before could not be kept
   */
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
    const unkept = faults.get(path)
    faults.delete(path)
    if (unkept) throw new ConsentryError('STORE_UNAVAILABLE', `${path} could not be kept (${unkept.message})`, { cause: unkept, data: { file: path } })
    const { handle, size } = openRegular(path, O_RDWR | O_CREAT)
    try {
      writeSync(handle, bytes, 0, SIZE, 0)
      // Where it lies on the disk must be kept as well: that is not done by the way.
      if (size !== SIZE) fdatasyncSync(handle)
    } catch (error) {
      closeSync(handle)
      throw error
    }
    keep(path, handle)
  },
}

/** To ask the disk for this costs more than the writing, and keeps others waiting who write: what is written in a burst is kept together. */
const burstMs = 20
/** Records that were kept a moment ago, with the handle of one that was written since. */
const bursts = new Map<string, { readonly end: NodeJS.Timeout; later?: number }>()

/** Has the disk take what was written: at once, or where that has just been done at the end of the burst. Closes the handle. */
function keep(path: string, handle: number): void {
  const burst = bursts.get(path)
  if (burst === undefined) return keepNow(path, handle)
  if (burst.later !== undefined) closeSync(burst.later)
  burst.later = handle
  burst.end.ref()
}

function keepNow(path: string, handle: number): void {
  const end = setTimeout(() => {
    const { later } = bursts.get(path)!
    bursts.delete(path)
    if (later !== undefined) keepNow(path, later)
  }, burstMs).unref()
  bursts.set(path, { end })
  fdatasync(handle, (error) => {
    if (error) faults.set(path, error)
    closeSync(handle)
  })
}

/** What was written and could not be kept, until it is said. */
const faults = new Map<string, Error>()

function using<Result>(path: string, flags: number, work: (handle: number) => Result): Result {
  const { handle } = openRegular(path, flags)
  try {
    return work(handle)
  } finally {
    closeSync(handle)
  }
}

function openRegular(path: string, flags: number): { readonly handle: number; readonly size: number } {
  const handle = openSync(path, flags | unblocked, FILE_MODE)
  const found = fstatSync(handle)
  if (found.isFile()) return { handle, size: found.size }
  closeSync(handle)
  throw new ConsentryError('STORE_UNAVAILABLE', `${path} is no regular file: move it away`, { data: { file: path } })
}
