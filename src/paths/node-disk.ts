import { constants, readFileSync, type BigIntStats } from 'node:fs'
import { access, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { boundDisk, type BoundOptions } from './bounded-disk.ts'
import { entryOf, faultOf, learnBirths, type RawStats } from './disk-entry.ts'
import type { Disk } from './disk.ts'
import { mayHang, readMounts, type Mount } from './mounts.ts'
import { exactText } from './exact-text.ts'
import { openProber } from './prober.ts'

const { R_OK, X_OK, O_RDONLY, O_NONBLOCK } = constants
/** The disk of this machine. Every question ends in time; see {@link boundDisk}. */
export function openNodeDisk(options: BoundOptions = {}): Disk {
  return boundDisk(nodeDisk, { openFar: openProber, mayHang: (path) => mayHang(path, nodeDisk.platform, mountsNow()), ...options })
}

const nodeDisk: Disk = {
  platform: process.platform === 'win32' ? 'win32' : 'posix',

  async inspect(path) {
    try {
      const stats = rawStats(await stat(path, { bigint: true }))
      if (!learnBirths(stats)) await learnBirthsAround(path, stats)
      return entryOf(stats)
    } catch (error) {
      return faultOf((error as NodeJS.ErrnoException).code)
    }
  },

  async look(path) {
    try {
      const stats = await lstat(path, { bigint: true })
      if (!stats.isSymbolicLink()) return entryOf(rawStats(stats))
      const target = exactText(await readlink(path, { encoding: 'buffer' }))
      return target === undefined ? { kind: 'failed' } : { kind: 'link', target }
    } catch (error) {
      return faultOf((error as NodeJS.ErrnoException).code)
    }
  },

  realPath: (path) => orUndefined(realpath(path, { encoding: 'buffer' }).then(exactText)),

  canRead: (path, kind) =>
    access(path, kind === 'folder' ? R_OK | X_OK : R_OK).then(
      () => true,
      () => false,
    ),

  list: (path) => orUndefined(readdir(path)),

  readText: (path, limit) => orUndefined(readSmallFile(path, limit)),
}

/** Milliseconds that are too short for anybody to mount something and be asked about it. */
const SAME_MOUNTS = 500
let mounts: { readonly all: readonly Mount[] | undefined; readonly readAt: number } | undefined

/** Undefined on systems that do not say. This file is none on any disk: reading it never hangs. */
function mountsNow(): readonly Mount[] | undefined {
  if (mounts && performance.now() - mounts.readAt < SAME_MOUNTS) return mounts.all
  let all: readonly Mount[] | undefined
  try {
    all = process.platform === 'linux' ? readMounts(readFileSync('/proc/self/mountinfo', 'utf8')) : undefined
  } catch {
    // Some containers have no /proc; then nothing is known of mounts.
  }
  mounts = { all, readAt: performance.now() }
  return all
}

function rawStats(stats: BigIntStats): RawStats {
  const { dev, ino, birthtimeNs, ctimeNs } = stats
  return { kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', dev, ino, birthtimeNs, ctimeNs }
}

/** What was made just now does not show whether its device knows births; the folder around it, which changed with it, does. */
async function learnBirthsAround(path: string, { dev }: RawStats): Promise<void> {
  const around = await orUndefined(stat(dirname(path), { bigint: true }))
  if (around?.dev === dev) learnBirths(rawStats(around))
}

function orUndefined<Result>(answer: Promise<Result | undefined>): Promise<Result | undefined> {
  return answer.catch(() => undefined)
}

async function readSmallFile(path: string, limit: number): Promise<string | undefined> {
  // Opening a pipe that nobody writes to would wait for ever.
  const file = await open(path, O_RDONLY | (O_NONBLOCK ?? 0))
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > limit) return undefined
    const buffer = new Uint8Array(stats.size + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length)
      if (bytesRead === 0) return new TextDecoder().decode(buffer.subarray(0, length))
      length += bytesRead
    }
    return undefined
  } finally {
    await file.close()
  }
}
