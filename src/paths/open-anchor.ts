import { closeSync, existsSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { Anchor, identityOf } from './anchor.ts'
import { DESCRIPTORS, factsOfHeld, holdObject, readReach } from './descriptor.ts'
import { faultOf } from './disk-entry.ts'
import type { DiskFault } from './disk.ts'
import { placeAt } from './place.ts'

/**
 * How far a boundary holds while somebody swaps links and folders under it.
 *
 * `race-free`: what is checked is the very object that is used (Linux). `checked`: what was opened is compared once more before a byte of it is read or written, while
 * making, moving and removing go by names that were looked at right before. `best-effort`: the same where the system follows names in ways that cannot all be looked at (Windows).
 */
export type GuaranteeLevel = 'race-free' | 'checked' | 'best-effort'

/** Of these the system may be short at any time. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/** What this machine can promise. */
export function guaranteeHere(): GuaranteeLevel {
  if (process.platform === 'win32') return 'best-effort'
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? 'race-free' : 'checked'
}

/**
 * Takes hold of what a path leads to, links followed, without opening it: no pipe waits, no device wakes.
 * Whether it may be used is decided on {@link Anchor.place}, which is where it really is. Throws only where the system itself is short of something.
 */
export async function openAnchor(path: string, level: GuaranteeLevel = guaranteeHere()): Promise<Anchor | DiskFault> {
  try {
    if (level === 'race-free') return await holdWhereItIs(path)
    const real = await realpath(path)
    const place = placeAt(real, process.platform === 'win32' ? 'win32' : 'posix')
    return place ? new Anchor({ place, reach: real, identity: identityOf(await lstat(real, { bigint: true })) }) : 'failed'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // That says nothing of the path.
    if (code !== undefined && SHORTAGES.has(code)) throw error
    return faultOf(code).kind
  }
}

async function holdWhereItIs(path: string): Promise<Anchor | DiskFault> {
  const descriptor = await holdObject(path)
  const reach = `${DESCRIPTORS}/${descriptor}`
  try {
    const real = readReach(reach)
    const place = real?.startsWith('/') && !(real.endsWith(' (deleted)') && (await isGone(real, descriptor))) ? placeAt(real, 'posix') : undefined
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
