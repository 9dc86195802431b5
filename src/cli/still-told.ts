import { readRootPath } from '../paths/index.ts'
import { Grants, type Config } from '../policy/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import { configPlaceOf } from './open-config.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'
import { useStore } from './use-store.ts'

/** Another consent by which a folder is told on: of the config for every server or others, or one that a person gave when a server asked. */
export interface StillTold {
  /** `*` is every server. */
  readonly server: string
  /** Absent for what stands in the config. */
  readonly grant?: string | undefined
}

const EVERY_SERVER = '*'
/** What becomes of servers that run when a folder was taken back. */
export const whatFollows: string =
  'Servers that run are told within a second. One that has no other folder is told an empty one in its place; one that does not read its list again, or was started with its folders, goes on until it is started afresh.\n' +
  'What is to be done then is said on its stderr, and asked at the desk: consentry up. What a server has read there it may keep.\n'

/** Who is told of a folder on after it was taken back from a server: for one server only what reaches that one, for every server all that is left. */
export async function findStill(path: string, server: string, config: Pick<Config, 'roots'>, place: Place): Promise<readonly StillTold[]> {
  const { platform, home } = configPlaceOf(place)
  const isSame = (written: string): boolean => {
    const reading = readRootPath(written, platform, { home })
    return reading.ok && reading.path === path
  }
  const reaches = (other: string): boolean => other === EVERY_SERVER || server === EVERY_SERVER || other === server
  const configured = [...config.roots].filter(([other, entries]) => reaches(other) && entries.some((entry) => isSame(entry.path)))
  const grants = await useStore(place, (store) => new Grants({ store }).list(), [])
  const granted = grants.filter(({ kind, server: other, details }) => {
    const entry = kind === 'roots' && reaches(other) ? readGrantedEntry(details) : undefined
    return entry !== undefined && isSame(entry.path)
  })
  return [...configured.map(([other]) => ({ server: other })), ...granted.map(({ id, server: other }) => ({ server: other, grant: id }))]
}

/** What was taken back, what that does, and what it does not. */
export function describeRemoved(path: string, server: string, still: readonly StillTold[]): string {
  const shown = safeText(path, { maximum: Infinity })
  const from = server === EVERY_SERVER ? 'every server' : safeText(server, { maximum: 60 })
  const left = still.map(({ server: other, grant }) => {
    const whom = other === EVERY_SERVER ? 'every server' : safeText(other, { maximum: 60 })
    if (grant !== undefined) return `It is still told to ${whom}: you said so when it asked (consentry roots grants revoke ${grant.slice(0, 8)}).\n`
    const option = other === EVERY_SERVER ? '' : ` --server ${whom}`
    return `It is still told to ${whom}, by the config (consentry roots remove ${shown}${option}).\n`
  })
  const end = still.length > 0 ? '' : whatFollows
  return `removed ${shown} from the folders of ${from}\n${left.join('')}${end}`
}
