import { constants, fstat, open, readlinkSync, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { exactText } from './exact-text.ts'

/** Where Linux has a link to whatever a process holds open. */
export const DESCRIPTORS = '/proc/self/fd'

/** Opens nothing, and is nothing but a hold on what a path leads to: Linux only, and not among Node's own constants. */
export const O_PATH = 0x20_0000
const openDescriptor = promisify(open) as (path: string | Buffer, flags: number) => Promise<number>

/** Takes hold of what a path leads to. */
export function holdObject(path: string): Promise<number> {
  return openDescriptor(path, O_PATH)
}

/** Takes hold of a folder, where it is no link to one. */
export function holdFolder(path: string | Buffer): Promise<number> {
  return openDescriptor(path, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY)
}

export const factsOfHeld = promisify(fstat) as (descriptor: number) => Promise<Stats>

/** Where a descriptor's object is, as the kernel says, which asks no disk for it; undefined for a name that no text can hold. */
export function readReach(reach: string): string | undefined {
  return exactText(readlinkSync(reach, { encoding: 'buffer' }))
}
