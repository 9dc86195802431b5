import { ConsentryError } from '../errors.ts'
import type { ServerOptions } from '../host/index.ts'
import { expandVariables, type Config, type ServerEntry } from '../policy/index.ts'
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

/**
 * The server that a command line means: of the config, at an address, or a command.
 *
 * @throws ConsentryError `USAGE` when it means none or several, `SERVER_NOT_FOUND`, `CONFIG_INVALID` for a variable that is not set
 */
export function findServer({ server, url, command, name }: ServerChoice, config: Config, place: Place): ServerOptions {
  const given = [server, url, command].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one server: --server NAME, --url URL, or -- COMMAND [ARG ...]')
  const named = name === undefined ? {} : { name, named: true }
  if (command !== undefined) {
    const [program, ...args] = command
    if (program === undefined) throw new ConsentryError('USAGE', 'a command is missing after --')
    return { name: nameAfterCommand(command), named: false, ...named, command: program, args, env: withoutOurs(place.environment), cwd: place.cwd }
  }
  if (url !== undefined) return { name: hostOf(url), named: false, ...named, url }
  const entry = config.mcpServers.get(server!)
  if (entry === undefined) {
    const known = [...config.mcpServers.keys()]
    throw new ConsentryError('SERVER_NOT_FOUND', `no server "${server}" is in the config${known.length > 0 ? ` (it has: ${known.join(', ')})` : ''}`)
  }
  return { name: server!, named: true, ...named, ...fromEntry(server!, entry, place) }
}

type Started = { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string }

/** An entry of the config with its variables filled in. */
function fromEntry(name: string, entry: ServerEntry, place: Place): Started | { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const { environment, cwd } = place
  const fill = (values: Readonly<Record<string, string>>, where: string): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expandVariables(value, environment, `mcpServers.${name}.${where}.${key}`)]))
  if (entry.kind === 'http') return { url: entry.url, headers: fill(entry.headers, 'headers') }
  const inherited = Object.entries(environment).filter((pair): pair is [string, string] => INHERITED.includes(pair[0].toUpperCase()) && pair[1] !== undefined)
  return { command: entry.command, args: entry.args, env: { ...Object.fromEntries(inherited), ...fill(entry.env, 'env') }, cwd: entry.cwd ?? cwd }
}

function withoutOurs(environment: Place['environment']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter((pair): pair is [string, string] => !pair[0].startsWith('CONSENTRY_') && pair[1] !== undefined))
}

function hostOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new ConsentryError('USAGE', `"${url}" is no http or https address`)
  return new URL(url).hostname
}
