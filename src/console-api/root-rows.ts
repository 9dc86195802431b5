import type { Disk } from '../paths/index.ts'
import type { ConfigFile, Grants } from '../policy/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import { validateRoot, type RootEntry } from '../roots/index.ts'
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
  const look = async (entry: RootEntry): Promise<Pick<RootRow, 'path' | 'name' | 'status' | 'uri' | 'reason' | 'warning'>> => {
    const seen = await validateRoot(entry, { disk, home: place.home, state: place.stateFolder })
    if (!seen.ok) return { path: entry.path, name: entry.name, status: 'denied' }
    const { path, name, status, uri, reason, warning } = seen
    return { path, name, status, uri, reason, warning }
  }
  const configured = [...config.current.roots].flatMap(([server, entries]) =>
    entries.map(async (entry) => ({ ...(await look(entry)), server, source: 'config' as const })),
  )
  const remembered = (await grants.list()).flatMap(({ id, kind, server, details, expiresAt }) => {
    const entry = kind === 'roots' ? readGrantedEntry(details) : undefined
    return entry === undefined ? [] : [look(entry).then((seen) => ({ ...seen, server, source: 'grant' as const, grant: id, expiresAt }))]
  })
  return Promise.all<RootRow>([...configured, ...remembered])
}
