import { AuditLog } from '../audit/index.ts'
import { configuredMappings, Grants, type Config, type Grant } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { readGrantedEntry } from '../roots/granted-folders.ts'
import { readExposures, RootList, type Exposure, type FolderState, type RootEntry } from '../roots/index.ts'
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
export interface RootRow extends Omit<FolderState, 'reason'> {
  /** One English sentence: why the folder is not told. */
  readonly reason?: string | undefined
  /** Who may be told; `*` is every server. */
  readonly server: string
  /** Absent for what stands in the config. */
  readonly grant?: string | undefined
  /** ISO 8601: when a grant ends. */
  readonly until?: string | undefined
  /** Servers that know the folder by another name, or not at all. */
  readonly elsewhere?: readonly { readonly server: string; readonly uri: string | null }[] | undefined
  /** Who was told, and when last. */
  readonly told: readonly Exposure[]
}

type Told = ReadonlyMap<string, readonly Exposure[]>
type BareRow = Omit<RootRow, 'told'>

const EVERY_SERVER = '*'

/** `consentry roots list`: which folders who may be told about, whether they can be told now, and who was told when. */
export async function listRootRows({ server, json }: ListOptions, place: Place): Promise<ExitCode> {
  const rows = await readRootRows(place)
  const shown = rows.filter((row) => server === undefined || row.server === server)
  if (json) place.stdout.write(`${JSON.stringify(shown)}\n`)
  else if (shown.length === 0) place.stdout.write('No folder may be told to any server. Add one: consentry roots add PATH\n')
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
  const list = new RootList({ configured: new Map([[EVERY_SERVER, entries]]), home: homeOf(place), state: openStateFolder(place).path })
  const statesFor = (name: string): Promise<readonly FolderState[]> => {
    const identity = identityOf(name, config)
    return list.open(identity, { mappings: () => configuredMappings(config, identity) }).states()
  }
  try {
    const states = await statesFor(server)
    const others = server === EVERY_SERVER ? [...config.mcpServers.keys()] : []
    const seen = await Promise.all(others.map(async (name) => ({ name, states: await statesFor(name) })))
    return states.map((state, index) => {
      const elsewhere = seen
        .map(({ name, states: theirs }) => ({ server: name, uri: theirs[index]?.uri ?? null }))
        .filter(({ uri }) => state.status === 'ok' && uri !== state.uri)
      return { server, ...state, reason: state.reason?.sentence, ...(elsewhere.length > 0 && { elsewhere }) }
    })
  } finally {
    list.close()
  }
}

function identityOf(name: string, config: Config): ServerIdentity {
  const entry = config.mcpServers.get(name)
  if (entry?.kind === 'http') return { name, named: true, target: { kind: 'http', url: entry.url } }
  if (entry?.kind === 'stdio') return { name, named: true, target: { kind: 'stdio', command: entry.command, args: entry.args } }
  return { name, named: true, target: { kind: 'custom', description: name } }
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

/** One line with who, whether and which, and a line for everything else there is to say. */
function describeRow({ server, status, path, name, uri, reason, grant, until, elsewhere = [], told }: RootRow): string {
  const head = `${server}  ${status}  ${path}${name === undefined ? '' : ` "${name}"`}`
  const lines = [
    status === 'ok' ? uri && `told as ${uri}` : undefined,
    ...elsewhere.map((other) => (other.uri === null ? `not told to ${other.server}, which has files of its own` : `told to ${other.server} as ${other.uri}`)),
    status === 'ok' ? undefined : reason,
    grant && `you said so when it asked${until === undefined ? '' : `; until ${until.slice(0, 10)}`} (grant ${grant.slice(0, 8)})`,
    told.length === 0 ? 'nobody was told yet' : `last told to ${told.map((one) => `${one.server} at ${one.at.slice(0, 16).replace('T', ' ')} UTC`).join(', ')}`,
  ]
  return [head, ...lines.filter((line) => line !== undefined).map((line) => `    ${line}`)].map((line) => `${safeText(line, { maximum: Infinity })}\n`).join('')
}
