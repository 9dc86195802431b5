import { ConsentryError } from '../../errors.ts'
import { inLanes } from '../../mcp/in-lanes.ts'
import type { Config } from '../../policy/index.ts'
import { findServer } from '../find-server.ts'
import { lookAtClients, type ClientFileRow, type ClientServerRow } from '../install/look-at-clients.ts'
import { addressOf, startEntry } from '../install/started-entry.ts'
import { describeProgram, nameOf } from '../install/status.ts'
import type { Place } from '../place.ts'
import { reachServer, type Reach, type ReachOptions } from '../reach-server.ts'
import { hasSignedIn } from '../sign-in.ts'
import type { Finding } from './finding.ts'

export interface CheckServersOptions extends ReachOptions {
  /** Told with each that is tried, and each that is done with: which have not answered yet. */
  readonly onAwaited: (names: readonly string[]) => void
}

interface ServerCheck {
  readonly about: string
  readonly run: () => Promise<readonly Finding[]>
}

const atOnce = 4

/** Connects to each server of the config, and to each that a client reaches through us, as that client would. Nothing is called. */
export async function checkServers(config: Config, { onAwaited, ...options }: CheckServersOptions, place: Place): Promise<readonly Finding[]> {
  const clients = await lookAtClients({ client: [], config: [] }, place)
  const own = [...config.mcpServers]
    .filter(([, { disabled }]) => !disabled)
    .map(([about]): ServerCheck => ({ about, run: () => checkConfigured(about, config, options, place) }))
  const theirs = clients.flatMap((file) =>
    file.servers
      .filter(({ by, isDisabled }) => by !== undefined && !isDisabled)
      .map((server): ServerCheck => {
        const about = `${nameOf(server)} in ${file.client}`
        return { about, run: () => checkWrapped(about, file, server, options, place) }
      }),
  )
  const findings: (readonly Finding[])[] = []
  const awaited = new Set<string>()
  await inLanes([...[...own, ...theirs].entries()], atOnce, async ([index, { about, run }]) => {
    onAwaited([...awaited.add(about)])
    findings[index] = await run()
    awaited.delete(about)
    onAwaited([...awaited])
  })
  return [...clients.flatMap(describeFile), ...findings.flat()]
}

function describeFile({ client, file, fault, servers }: ClientFileRow): readonly Finding[] {
  const about = `${client}: ${file}`
  if (fault) return [{ check: 'servers', about, state: 'wrong', says: fault.message, advice: 'mend it there: its client may not read it either' }]
  const bare = servers.filter(({ by, isDisabled }) => by === undefined && !isDisabled)
  const open = bare.filter(({ unfit }) => unfit === undefined).map(nameOf)
  const shut = bare.flatMap((server): Finding[] =>
    server.unfit === undefined
      ? []
      : [{ check: 'servers', about, state: 'note', says: `install leaves ${JSON.stringify(nameOf(server))} alone: ${server.unfit}` }],
  )
  if (open.length === 0) return shut
  return [{ check: 'servers', about, state: 'note', says: `not wrapped: ${open.join(', ')}`, advice: 'consentry install' }, ...shut]
}

async function checkConfigured(name: string, config: Config, options: ReachOptions, place: Place): Promise<readonly Finding[]> {
  const common = { check: 'servers', about: name } as const
  try {
    const { target, notes = [], says = [] } = await findServer({ server: name }, config, place)
    const reach = await reachServer(target, options)
    return [
      await describeReach(common.about, reach, target.kind === 'http' ? target.url : undefined, place),
      ...[...notes, ...says].map((sentence): Finding => ({ ...common, state: 'note', says: sentence })),
    ]
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    return [{ ...common, state: 'wrong', says: error.message, advice: 'see its entry in the config' }]
  }
}

async function checkWrapped(
  about: string,
  { folder }: ClientFileRow,
  server: ClientServerRow,
  options: ReachOptions,
  place: Place,
): Promise<readonly Finding[]> {
  const { by, value, project } = server
  const findings: Finding[] = []
  if (by && !by.isThis && by.exists !== null)
    findings.push({ check: 'servers', about, state: by.exists ? 'note' : 'wrong', says: `it leads through ${describeProgram(by)}` })
  if (by?.exists === false) return findings
  // A wrap would have somebody sign in; a doctor does not.
  const address = addressOf(value, project ?? folder, place)
  const direct = address && (await reachServer(address, options))
  if (direct?.ok === false) return [...findings, await describeReach(about, direct, address?.url, place)]
  const started = await startEntry(value, { folder: project ?? folder }, place)
  if (started.kind === 'unfit') return [...findings, { check: 'servers', about, state: 'wrong', says: started.why }]
  if (started.kind === 'unknown')
    return [...findings, { check: 'servers', about, state: 'note', says: `it was not tried: only its client knows ${started.variable}` }]
  return [...findings, await describeReach(about, await reachServer(started.target, options), undefined, place)]
}

/** @param url of a server at an address: somebody may have signed in there */
async function describeReach(about: string, reach: Reach, url: string | undefined, place: Place): Promise<Finding> {
  const check = 'servers'
  if (reach.ok) {
    const called = [reach.name, reach.version].filter((word) => word !== undefined).join(' ')
    return { check, about, state: 'ok', says: `it answers${called === '' ? '' : ` as ${called}`}, with ${reach.revision}, after ${reach.milliseconds} ms` }
  }
  if (reach.wantsSignIn && url !== undefined && (await hasSignedIn(url, place, { notice: () => undefined })))
    return { check, about, state: 'note', says: 'somebody has signed in there from here: a wrap uses that, and nobody else; it was not tried' }
  if (reach.wantsSignIn)
    return {
      check,
      about,
      state: 'note',
      says: 'it wants somebody to sign in: a browser opens when a wrap uses it',
      advice: 'or give it a header with a token',
    }
  return { check, about, state: 'wrong', says: reach.why, advice: 'run its command in a terminal: what it says there says more' }
}
