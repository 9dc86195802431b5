import { ConsentryError } from '../errors.ts'
import { identityOf, serversFromConfig, targetOf } from '../host/server-options.ts'
import type { ConnectTarget } from '../mcp/index.ts'
import type { Config } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { identifyAddress } from './address-server.ts'
import { environmentOf, identifyCommand } from './command-server.ts'
import { knownNames } from './known-names.ts'
import type { Place } from './place.ts'
import { configuredWishes, prepareStart, readWishes, type TypedWishes } from './prepare-start.ts'
import { sayUnnamed } from './say-unnamed.ts'
import { openStateFolder } from './state-folder.ts'

export interface ServerChoice extends TypedWishes {
  readonly server?: string | undefined
  readonly url?: string | undefined
  readonly command?: readonly string[] | undefined
  readonly name?: string | undefined
}

/** One server, as rules know it and as it is connected to. */
export interface FoundServer {
  readonly identity: ServerIdentity
  readonly target: ConnectTarget
  /** What its entry says for other programs and we do not do. */
  readonly notes?: readonly string[] | undefined
  /** What is enforced by a sandbox, and what is not. */
  readonly says?: readonly string[] | undefined
}

/**
 * The server that a command line means: of the config, at an address, or a command.
 *
 * @throws ConsentryError `USAGE` when it means none or several, or one that is switched off, `SERVER_NOT_FOUND`, `CONFIG_INVALID` for a variable that is not set,
 * `SANDBOX_UNAVAILABLE`
 */
export async function findServer(choice: ServerChoice, config: Config, place: Place): Promise<FoundServer> {
  const { server, url, command, name } = choice
  const given = [server, url, command].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one server: --server NAME, --url URL, or -- COMMAND [ARG ...]')
  if (name === '') throw new ConsentryError('USAGE', '--name needs a name')
  if (server !== undefined) return fromConfig(server, name ?? server, choice, config, place)
  const typed = readWishes(choice)
  if (url !== undefined && (typed.sandbox || typed.rootsTo)) throw new ConsentryError('USAGE', '--sandbox and --roots-to are for servers that are started here')
  if (url !== undefined) {
    const identity = identifyAddress(url, name)
    return { identity, target: identity.target }
  }
  const identity = identifyCommand(command!, name, place)
  const wishes = { ...configuredWishes(identity, config), ...typed }
  const start = { ...identity.target, env: environmentOf(place) }
  const { says, held: _, ...prepared } = await prepareStart(start, wishes, identity, { ...choice, config }, place)
  return { identity, target: { ...prepared, kind: 'stdio' }, says: [...sayUnnamed(identity, config), ...says] }
}

async function fromConfig(server: string, name: string, choice: ServerChoice, config: Config, place: Place): Promise<FoundServer> {
  const entry = config.mcpServers.get(server)
  if (entry === undefined) {
    const known = [...config.mcpServers.keys()]
    const there = known.length === 0 ? ` (${openStateFolder(place).configFile} has none)` : knownNames(server, known)
    throw new ConsentryError('SERVER_NOT_FOUND', `no server "${server}" is in the config${there}`)
  }
  if (entry.disabled) throw new ConsentryError('USAGE', `"${server}" is switched off in the config: take "disabled" out of its entry to use it`)
  const typed = readWishes(choice)
  const wished = entry.kind === 'stdio' && (typed.sandbox || typed.rootsTo) ? { ...entry, wishes: { ...entry.wishes, ...typed } } : entry
  let said: readonly string[] = []
  const [options] = serversFromConfig({ mcpServers: new Map([[server, wished]]) }, place.environment, {
    prepare: async (start, wishes, identity) => {
      const { says, held: _, ...prepared } = await prepareStart(start, wishes, identity, { ...choice, config }, place)
      said = says
      return prepared
    },
  })
  const target = await targetOf(options!)
  return { identity: { ...identityOf(options!), name }, target, notes: entry.notes, says: said }
}
