import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
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
  /** Between its uses a record is held open. */
  close(path: string): void
}

/** Bytes of every record. It starts with a sector of the disk, and is smaller than any: it is written whole, or not at all. */
const SIZE = 256
const FILE_MODE = 0o600
const { O_CREAT, O_RDONLY, O_RDWR } = constants
/** What waits for a peer (a pipe that somebody put there) is not waited for. Windows has neither. */
const unblocked = (constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0

/**
 * The real disk, without giving way: a look and a write are cheaper than being called back, and whoever writes here holds a lock on others meanwhile.
 */
export const recordFiles: RecordFiles = {
  read(path) {
    try {
      const held = find(path)
      const record = held ?? open(path, O_RDONLY)
      try {
        const bytes = Buffer.alloc(SIZE)
        return bytes.toString('utf8', 0, readSync(record.handle, bytes, 0, SIZE, 0))
      } finally {
        if (held === undefined) release(record)
      }
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
    const record = find(path) ?? open(path, O_RDWR | O_CREAT)
    records.set(path, record)
    writeSync(record.handle, bytes, 0, SIZE, 0)
    // Where it lies on the disk must be kept as well: that is not done by the way.
    if (record.size !== SIZE) fdatasyncSync(record.handle)
    record.size = SIZE
    keep(path, record)
  },

  close(path) {
    const record = records.get(path)
    records.delete(path)
    if (record) release(record)
  },
}

interface OpenRecord {
  readonly handle: number
  readonly dev: number
  readonly ino: number
  size: number
  /** Closed once it has none any more. */
  users: number
}

/** Those that were written here, by their paths. */
const records = new Map<string, OpenRecord>()

/** What was put in the place of a record is another one. */
function find(path: string): OpenRecord | undefined {
  const record = records.get(path)
  if (record === undefined) return undefined
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.ino === record.ino && found.dev === record.dev) {
    record.size = found.size
    return record
  }
  recordFiles.close(path)
  return undefined
}

function open(path: string, flags: number): OpenRecord {
  const handle = openSync(path, flags | unblocked, FILE_MODE)
  const found = fstatSync(handle)
  if (found.isFile()) return { handle, dev: found.dev, ino: found.ino, size: found.size, users: 1 }
  closeSync(handle)
  throw new ConsentryError('STORE_UNAVAILABLE', `${path} is no regular file: move it away`, { data: { file: path } })
}

function release(record: OpenRecord): void {
  record.users -= 1
  if (record.users === 0) closeSync(record.handle)
}

/** To ask the disk for this costs more than the writing, and keeps others waiting who write: what is written in a burst is kept together. */
const burstMs = 20
/** Records that were kept a moment ago, with the one that was written since. */
const bursts = new Map<string, { readonly end: NodeJS.Timeout; later?: OpenRecord }>()

/** Has the disk take what was written: at once, or where that has just been done at the end of the burst. */
function keep(path: string, record: OpenRecord): void {
  record.users += 1
  const burst = bursts.get(path)
  if (burst === undefined) return keepNow(path, record)
  if (burst.later !== undefined) release(burst.later)
  burst.later = record
  burst.end.ref()
}

function keepNow(path: string, record: OpenRecord): void {
  const end = setTimeout(() => {
    const { later } = bursts.get(path)!
    bursts.delete(path)
    if (later !== undefined) keepNow(path, later)
  }, burstMs).unref()
  bursts.set(path, { end })
  fdatasync(record.handle, (error) => {
    if (error) faults.set(path, error)
    release(record)
  })
}

/** What was written and could not be kept, until it is said. */
const faults = new Map<string, Error>()
