import { ConsentryError } from '../errors.ts'
import type { ConnectTarget } from '../mcp/index.ts'
import { expandVariables, type Config } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import type { Place } from './place.ts'
import { nameAfterCommand } from './server-name.ts'

export interface ServerChoice {
  readonly server?: string | undefined
  readonly url?: string | undefined
  readonly command?: readonly string[] | undefined
  readonly name?: string | undefined
}

/** What a server of the config gets of our environment besides its own `env`: enough to be found and to run, nothing that is a secret. */
const INHERITED = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'USER',
  'APPDATA',
  'LOCALAPPDATA',
  'PATHEXT',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERPROFILE',
]

/** One server, as rules know it and as it is connected to. */
export interface FoundServer {
  readonly identity: ServerIdentity
  readonly target: ConnectTarget
}

/**
 * The server that a command line means: of the config, at an address, or a command.
 *
 * @throws ConsentryError `USAGE` when it means none or several, `SERVER_NOT_FOUND`, `CONFIG_INVALID` for a variable that is not set
 */
export function findServer({ server, url, command, name }: ServerChoice, config: Config, place: Place): FoundServer {
  const given = [server, url, command].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one server: --server NAME, --url URL, or -- COMMAND [ARG ...]')
  if (server !== undefined) return fromConfig(server, name ?? server, config, place)
  if (url !== undefined)
    return { identity: { name: name ?? hostOf(url), named: name !== undefined, target: { kind: 'http', url } }, target: { kind: 'http', url } }
  const [program, ...args] = command!
  if (program === undefined) throw new ConsentryError('USAGE', 'a command is missing after --')
  const identity: ServerIdentity = {
    name: name ?? nameAfterCommand(command!),
    named: name !== undefined,
    target: { kind: 'stdio', command: program, args, cwd: place.cwd },
  }
  return { identity, target: { kind: 'stdio', command: program, args, env: withoutOurs(place.environment), cwd: place.cwd } }
}

function fromConfig(server: string, name: string, config: Config, place: Place): FoundServer {
  const entry = config.mcpServers.get(server)
  if (entry === undefined) {
    const known = [...config.mcpServers.keys()]
    throw new ConsentryError('SERVER_NOT_FOUND', `no server "${server}" is in the config${known.length > 0 ? ` (it has: ${known.join(', ')})` : ''}`)
  }
  const { environment } = place
  const fill = (values: Readonly<Record<string, string>>, where: string): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expandVariables(value, environment, `mcpServers.${server}.${where}.${key}`)]))
  if (entry.kind === 'http') {
    return {
      identity: { name, named: true, target: { kind: 'http', url: entry.url } },
      target: { kind: 'http', url: entry.url, headers: fill(entry.headers, 'headers') },
    }
  }
  const { command, args, cwd = place.cwd } = entry
  const inherited = Object.entries(environment).filter((pair): pair is [string, string] => INHERITED.includes(pair[0].toUpperCase()) && pair[1] !== undefined)
  const env = { ...Object.fromEntries(inherited), ...fill(entry.env, 'env') }
  return { identity: { name, named: true, target: { kind: 'stdio', command, args, cwd } }, target: { kind: 'stdio', command, args, env, cwd } }
}

function withoutOurs(environment: Place['environment']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter((pair): pair is [string, string] => !pair[0].startsWith('CONSENTRY_') && pair[1] !== undefined))
}

function hostOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new ConsentryError('USAGE', `"${url}" is no http or https address`)
  return new URL(url).hostname
}
