import type { Disk } from '../paths/index.ts'
import { serverKey, type ConfigFile, type Grants } from '../policy/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import type { RootEntry, RootList } from '../roots/index.ts'
import { listFolders, type ListedFolder } from '../roots/list-folders.ts'
import type { DeskPlace } from './call.ts'
import type { RootRow } from './contract.ts'
import { describeTarget } from './describe-review.ts'
import type { Timeline } from './timeline.ts'

export interface RootRowNeeds {
  readonly config: Pick<ConfigFile, 'current'>
  readonly grants: Pick<Grants, 'list'>
  readonly folders: Pick<RootList, 'forRun'>
  readonly timeline: Pick<Timeline, 'sessions'>
  readonly disk: Disk
  readonly place: Pick<DeskPlace, 'home' | 'stateFolder'>
}

/** Every folder that somebody may be told about, with how it stands now: what is in the config, then what people granted for this run, and what is remembered, newest first. */
export async function listRootRows({ config, grants, folders, timeline, disk, place }: RootRowNeeds): Promise<readonly RootRow[]> {
  const { current } = config
  const options = { disk, home: place.home, state: place.stateFolder }
  const look = (entries: readonly RootEntry[], server: string): Promise<readonly ListedFolder[]> => listFolders(entries, server, current, options)
  const configured = [...current.roots].map(async ([server, entries]) =>
    (await look(entries, server)).map((folder) => ({ ...folder, server, source: 'config' as const })),
  )
  const connected = new Set(timeline.sessions.map(({ origin }) => serverKey(origin.server)))
  const forRun = folders.forRun().map(async ({ server, entry }) => {
    const away = connected.has(serverKey(server)) ? undefined : describeTarget(server.target)
    return (await look([entry], server.name)).map((folder) => ({ ...folder, server: server.name, source: 'run' as const, ...(away !== undefined && { away }) }))
  })
  const remembered = (await grants.list()).map(async ({ id, kind, server, details, expiresAt }) => {
    const entry = kind === 'roots' ? readGrantedEntry(details) : undefined
    const found = entry === undefined ? [] : await look([entry], server)
    return found.map((folder) => ({ ...folder, server, source: 'grant' as const, grant: id, expiresAt }))
  })
  return (await Promise.all<readonly RootRow[]>([...configured, ...forRun, ...remembered])).flat()
}
