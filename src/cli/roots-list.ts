import { AuditLog } from '../audit/index.ts'
import { Grants, type Config, type Grant } from '../policy/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import { listFolders, type ListedFolder } from '../roots/list-folders.ts'
import { readExposures, type Exposure, type RootEntry } from '../roots/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { openConfig } from './open-config.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'
import { safeText } from './terminal/safe-text.ts'
import { useStore } from './use-store.ts'

export interface ListOptions {
  readonly server?: string | undefined
  readonly json?: boolean | undefined
}

/** One folder that somebody may be told about. `uri` is what is told, where a server of its own files has another name for the folder. */
export interface RootRow extends Omit<ListedFolder, 'reason' | 'warning'> {
  /** One English sentence: why the folder is not told. */
  readonly reason?: string | undefined
  /** Who may be told; `*` is every server. */
  readonly server: string
  /** Absent for what stands in the config. */
  readonly grant?: string | undefined
  /** ISO 8601: when a grant ends. */
  readonly until?: string | undefined
  /** Who was told, and when last. */
  readonly told: readonly Exposure[]
}

type Told = ReadonlyMap<string, readonly Exposure[]>
type BareRow = Omit<RootRow, 'told'>

const EVERY_SERVER = '*'

/** `consentry roots list`: which folders who may be told about, whether they can be told now, and who was told when. */
export async function listRootRows({ server, json }: ListOptions, place: Place): Promise<ExitCode> {
  const rows = await readRootRows(place)
  const shown = rows.filter((row) => server === undefined || row.server === server || row.server === EVERY_SERVER)
  if (json) place.stdout.write(`${JSON.stringify(shown)}\n`)
  else if (shown.length === 0) place.stdout.write(describeNone(server))
  else place.stdout.write(shown.map(describeRow).join(''))
  return exitCodes.done
}

/** What stands in the config first, in its order, then what people granted, newest first. */
async function readRootRows(place: Place): Promise<readonly RootRow[]> {
  const file = await openConfig(place)
  file.close()
  const config = file.current
  const rows: BareRow[] = []
  for (const [server, entries] of config.roots) rows.push(...(await lookAt(entries, server, config, place)))
  const { grants, told } = await readStored(place)
  for (const { id, kind, server, details, expiresAt } of grants) {
    const entry = kind === 'roots' ? readGrantedEntry(details) : undefined
    const [state] = entry ? await lookAt([entry], server, config, place) : []
    if (state) rows.push({ ...state, grant: id, ...(expiresAt !== undefined && { until: new Date(expiresAt).toISOString() }) })
  }
  return rows.map((row) => ({ ...row, told: exposuresOf(row, told) }))
}

async function lookAt(entries: readonly RootEntry[], server: string, config: Config, place: Place): Promise<readonly BareRow[]> {
  const folders = await listFolders(entries, server, config, { home: homeOf(place), state: openStateFolder(place).path })
  return folders.map((row) => {
    const { reason, warning: _, ...folder } = row
    return { server, ...folder, reason: reason?.sentence }
  })
}

function readStored(place: Place): Promise<{ readonly grants: readonly Grant[]; readonly told: Told }> {
  const { anchorFile } = openStateFolder(place)
  return useStore(
    place,
    async (store) => ({ grants: await new Grants({ store }).list(), told: await readExposures(new AuditLog({ store, anchorFile }).export()) }),
    { grants: [], told: new Map() },
  )
}

/** Of a server that has a name the exposures of that server; of a folder for all, everybody's. */
function exposuresOf({ server, uri, elsewhere = [] }: BareRow, told: Told): readonly Exposure[] {
  const uris = [uri, ...elsewhere.map((one) => one.uri)].filter((one) => typeof one === 'string')
  return uris.flatMap((one) => told.get(one) ?? []).filter((exposure) => server === EVERY_SERVER || exposure.server === server)
}

/** What a person said for one run is known to the desk that heard it, and to nobody else. */
export const FOR_ONE_RUN: string = 'What was allowed for one run is not listed here: the desk shows it (consentry up).\n'

function describeNone(server: string | undefined): string {
  if (server === undefined) return `No folder may be told to any server. Add one: consentry roots add PATH --server NAME\n${FOR_ONE_RUN}`
  const name = safeText(server, { maximum: 60 })
  return `No folder may be told to ${name}. Add one: consentry roots add PATH --server ${name}\n${FOR_ONE_RUN}`
}

/** One line with who, whether and which, and a line for everything else there is to say. */
function describeRow({ server, status, path, name, uri, reason, repository, grant, until, elsewhere = [], told }: RootRow): string {
  const head = `${server}  ${status}  ${path}${name === undefined ? '' : ` "${name}"`}`
  const lines = [
    status === 'ok' ? uri && `told as ${uri}` : undefined,
    ...elsewhere.map((other) => (other.uri === null ? `not told to ${other.server}, which has files of its own` : `told to ${other.server} as ${other.uri}`)),
    repository && `held to its folders, it may also read git's repository of it: ${repository}`,
    status === 'ok' ? undefined : reason,
    grant && `you said so when it asked${until === undefined ? '' : `; until ${until.slice(0, 10)}`} (grant ${grant.slice(0, 8)})`,
    told.length === 0 ? 'nobody was told yet' : `last told to ${told.map((one) => `${one.server} at ${one.at.slice(0, 16).replace('T', ' ')} UTC`).join(', ')}`,
  ]
  return [head, ...lines.filter((line) => line !== undefined).map((line) => `    ${line}`)].map((line) => `${safeText(line, { maximum: Infinity })}\n`).join('')
}
