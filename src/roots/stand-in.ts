import type { Disk } from '../paths/index.ts'
import type { Phrase } from '../protocol/index.ts'
import { rootPhrase } from './root-phrase.ts'

/** An empty folder that is told in place of none, to a server that would go on in the folders that it was told before. */
export interface StandIn {
  readonly path: string
  /** Makes the folder where it is not there; rejects with whatever keeps it from being made. */
  readonly make: () => Promise<void>
}

/**
 * Makes the empty folder, and looks whether it is one: a link to another folder, or one with something in it, would give a server more than nothing.
 *
 * Never rejects.
 * @returns why it cannot be told, and what to do
 */
export async function prepareStandIn({ path, make }: StandIn, disk: Pick<Disk, 'look' | 'list'>): Promise<Phrase | undefined> {
  const fault = await make().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const { kind } = await disk.look(path)
  const names = kind === 'folder' ? await disk.list(path) : undefined
  if (kind === 'link' || kind === 'file' || kind === 'other' || (names && names.length > 0)) return rootPhrase('stand-in-taken', { path })
  return fault === undefined && names ? undefined : rootPhrase('stand-in-failed', { path, reason: fault ?? kind })
}
