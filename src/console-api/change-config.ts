import { ConsentryError } from '../errors.ts'
import type { ConfigFile } from '../policy/index.ts'
import type { ConfigChange } from './contract.ts'
import { faultOf } from './server-board.ts'

/** Thrown by a change that was meant for another version of the file. */
export const stale: unique symbol = Symbol('stale')

/**
 * Changes the config, and says what came of it: a config that would not be one is an answer, not an error, and is not written.
 *
 * @param text what was put there, for the person to see
 */
export async function changeConfig(config: Pick<ConfigFile, 'edit'>, text: string, change: (source: string | undefined) => string): Promise<ConfigChange> {
  return answer('changed', text, () => config.edit(change))
}

/** What a change would come to; nothing is written. */
export function previewConfig(source: string | undefined, text: string, change: (source: string | undefined) => string): Promise<ConfigChange> {
  return answer('preview', text, () => Promise.resolve(change(source)))
}

async function answer(status: 'changed' | 'preview', text: string, work: () => Promise<unknown>): Promise<ConfigChange> {
  try {
    await work()
    return { status, text }
  } catch (error) {
    if (error === stale || (error instanceof ConsentryError && error.cause === stale)) return { status: 'stale' }
    if (error instanceof ConsentryError && ['CONFIG_INVALID', 'SERVER_NOT_FOUND'].includes(error.code)) return { status: 'refused', fault: faultOf(error) }
    throw error
  }
}
