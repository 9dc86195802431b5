import type { Disk } from '../paths/index.ts'
import type { ConfigFile, Grants } from '../policy/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import type { RootEntry } from '../roots/index.ts'
import { listFolders, type ListedFolder } from '../roots/list-folders.ts'
import type { DeskPlace } from './call.ts'
import type { RootRow } from './contract.ts'

export interface RootRowNeeds {
  readonly config: Pick<ConfigFile, 'current'>
  readonly grants: Pick<Grants, 'list'>
  readonly disk: Disk
  readonly place: Pick<DeskPlace, 'home' | 'stateFolder'>
}

/** Every folder that somebody may be told about, with how it stands now: what is in the config, then what people granted, newest first. */
export async function listRootRows({ config, grants, disk, place }: RootRowNeeds): Promise<readonly RootRow[]> {
  const { current } = config
  const options = { disk, home: place.home, state: place.stateFolder }
  const look = (entries: readonly RootEntry[], server: string): Promise<readonly ListedFolder[]> => listFolders(entries, server, current, options)
  const configured = [...current.roots].map(async ([server, entries]) =>
    (await look(entries, server)).map((folder) => ({ ...folder, server, source: 'config' as const })),
  )
  const remembered = (await grants.list()).map(async ({ id, kind, server, details, expiresAt }) => {
    const entry = kind === 'roots' ? readGrantedEntry(details) : undefined
    const folders = entry === undefined ? [] : await look([entry], server)
    return folders.map((folder) => ({ ...folder, server, source: 'grant' as const, grant: id, expiresAt }))
  })
  return (await Promise.all<readonly RootRow[]>([...configured, ...remembered])).flat()
}
