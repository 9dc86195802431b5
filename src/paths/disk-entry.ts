import type { DiskEntry, DiskFault } from './disk.ts'

/** What the system says of an object, as far as we care; the numbers are too large for anything but `bigint`. */
export interface RawStats {
  readonly kind: 'folder' | 'file' | 'other'
  readonly dev: bigint
  readonly ino: bigint
  readonly birthtimeNs: bigint
  readonly ctimeNs: bigint
}

/** Everything else (a ring of links, a file in place of a folder, too long a name) is a path that can lead nowhere. */
const faults: ReadonlyMap<string, DiskFault> = new Map<string, DiskFault>([
  ['ENOENT', 'missing'],
  ...['EACCES', 'EPERM'].map((code): [string, DiskFault] => [code, 'denied']),
  ...['EIO', 'ESTALE', 'ETIMEDOUT', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENODEV', 'ENXIO'].map((code): [string, DiskFault] => [code, 'unreachable']),
])

/** Devices that know when things were made. Of all others the birth that is told is the last change, which says nothing. */
const devicesWithBirths = new Set<bigint>()

/** @returns whether the device is known to say when things were made: what was made just now does not show it */
export function learnBirths({ dev, birthtimeNs, ctimeNs }: RawStats): boolean {
  if (birthtimeNs > 0n && birthtimeNs !== ctimeNs) devicesWithBirths.add(dev)
  return devicesWithBirths.has(dev)
}

export function entryOf({ kind, dev, ino, birthtimeNs, ctimeNs }: RawStats): DiskEntry {
  const device = String(dev)
  const entry = { kind, identity: `${device}:${ino}`, device, changed: String(ctimeNs) }
  return devicesWithBirths.has(dev) ? { ...entry, born: String(birthtimeNs) } : entry
}

/** Why nothing is known of a path, by the code of the system's error. */
export function faultOf(code: unknown): { readonly kind: DiskFault } {
  return { kind: (typeof code === 'string' ? faults.get(code) : undefined) ?? 'failed' }
}
