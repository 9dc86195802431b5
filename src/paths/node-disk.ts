import { constants, type BigIntStats } from 'node:fs'
import { access, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { boundDisk, type BoundOptions } from './bounded-disk.ts'
import type { Disk, DiskEntry, DiskFault } from './disk.ts'

const { R_OK, X_OK, O_RDONLY, O_NONBLOCK } = constants
/** Everything else (a ring of links, a file in place of a folder, too long a name) is a path that can lead nowhere. */
const faults: ReadonlyMap<string, DiskFault> = new Map<string, DiskFault>([
  ['ENOENT', 'missing'],
  ...['EACCES', 'EPERM'].map((code): [string, DiskFault] => [code, 'denied']),
  ...['EIO', 'ESTALE', 'ETIMEDOUT', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENODEV', 'ENXIO'].map((code): [string, DiskFault] => [code, 'unreachable']),
])

/** The disk of this machine. Every question ends in time; see {@link boundDisk}. */
export function openNodeDisk(options: BoundOptions = {}): Disk {
  return boundDisk(nodeDisk, options)
}

const nodeDisk: Disk = {
  platform: process.platform === 'win32' ? 'win32' : 'posix',

  async inspect(path) {
    try {
      const stats = await stat(path, { bigint: true })
      if (!devicesWithBirths.has(stats.dev)) await lookForBirths(stats, path)
      return entryOf(stats)
    } catch (error) {
      return faultOf(error)
    }
  },

  async look(path) {
    try {
      const stats = await lstat(path, { bigint: true })
      return stats.isSymbolicLink() ? { kind: 'link', target: await readlink(path) } : entryOf(stats)
    } catch (error) {
      return faultOf(error)
    }
  },

  realPath: (path) => orUndefined(realpath(path)),

  canRead: (path, kind) =>
    access(path, kind === 'folder' ? R_OK | X_OK : R_OK).then(
      () => true,
      () => false,
    ),

  list: (path) => orUndefined(readdir(path)),

  readText: (path, limit) => orUndefined(readSmallFile(path, limit)),
}

function entryOf(stats: BigIntStats): DiskEntry {
  const device = String(stats.dev)
  const entry = { kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', identity: `${device}:${stats.ino}`, device } as const
  return devicesWithBirths.has(stats.dev) ? { ...entry, born: String(stats.birthtimeNs) } : entry
}

/** Devices that know when things were made. Of all others the birth that is told is the last change, which says nothing. */
const devicesWithBirths = new Set<bigint>()

/** What was made just now says nothing either; then the folder around it, which changed with it, does. */
async function lookForBirths(stats: BigIntStats, path: string): Promise<void> {
  const isBorn = ({ birthtimeNs, ctimeNs }: BigIntStats): boolean => birthtimeNs > 0n && birthtimeNs !== ctimeNs
  if (isBorn(stats)) return void devicesWithBirths.add(stats.dev)
  const parent = await orUndefined(stat(dirname(path), { bigint: true }))
  if (parent?.dev === stats.dev && isBorn(parent)) devicesWithBirths.add(stats.dev)
}

function faultOf(error: unknown): DiskEntry {
  const { code } = error as { code?: unknown }
  return { kind: (typeof code === 'string' ? faults.get(code) : undefined) ?? 'failed' }
}

function orUndefined<Result>(answer: Promise<Result>): Promise<Result | undefined> {
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
