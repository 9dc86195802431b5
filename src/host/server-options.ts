import { ConsentryError } from '../errors.ts'
import { defaultEnvironment, type ConnectTarget, type Transport } from '../mcp/index.ts'
import { expandVariables, type Config, type StartWishes } from '../policy/index.ts'
import type { Revision, ServerIdentity } from '../protocol/index.ts'

interface AnyServer {
  /** What the user calls it: rules, folders and reviews go by this name. */
  readonly name: string
  /** Default `auto`: the newest that the server speaks. */
  readonly protocol?: 'auto' | Revision | undefined
}

export interface StartCommand {
  readonly command: string
  readonly args: readonly string[]
  /** The server's whole environment. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

/** A command that is ready to be started. */
export interface ReadyCommand extends StartCommand {
  /** The folders that it is given with this start; it has no others before the next one. */
  readonly startedWith?: readonly string[] | undefined
}

/** Makes a command ready each time before it is started: a sandbox around it, folders among its arguments. */
export type PrepareStart = (start: StartCommand, wishes: StartWishes, server: ServerIdentity) => Promise<ReadyCommand>

/** One server that a host connects to. */
export type ServerOptions = AnyServer &
  (
    | {
        readonly command: string
        readonly args?: readonly string[] | undefined
        /** Added to the few variables that every server gets (PATH, HOME and the like); nothing else is inherited. */
        readonly env?: Readonly<Record<string, string>> | undefined
        readonly cwd?: string | undefined
        /** What has to be done to the command before it is started: `prepare` does it, and without that the server is not started. */
        readonly wishes?: StartWishes | undefined
        readonly prepare?: PrepareStart | undefined
      }
    | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
    /** Any transport of the SDK. A function makes a new one each time, so that the connection can be made again. */
    | { readonly transport: Transport | (() => Transport | Promise<Transport>) }
    /** One that cannot be used as it stands: shown as failed, so that it hurts no other. */
    | { readonly fault: ConsentryError }
  )

/**
 * The servers of a config, but those that are switched off. `${NAME}` in `env` and `headers` is taken from the environment that is given;
 * a server that needs a variable which is not set fails alone. Without `prepare`, servers that are to be held are not started.
 */
export function serversFromConfig(
  { mcpServers }: Pick<Config, 'mcpServers'>,
  environment: Readonly<Record<string, string | undefined>>,
  { prepare }: { readonly prepare?: PrepareStart | undefined } = {},
): readonly ServerOptions[] {
  return [...mcpServers].flatMap(([name, entry]): readonly ServerOptions[] => {
    if (entry.disabled) return []
    const fill = (values: Readonly<Record<string, string>>, where: string): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expandVariables(value, environment, `mcpServers.${name}.${where}.${key}`)]))
    try {
      if (entry.kind === 'http') return [{ name, url: entry.url, headers: fill(entry.headers, 'headers') }]
      const { command, args, cwd, wishes } = entry
      return [{ name, command, args, env: fill(entry.env, 'env'), cwd, ...(wishes && { wishes, prepare }) }]
    } catch (error) {
      if (!(error instanceof ConsentryError)) throw error
      return [{ name, fault: error }]
    }
  })
}

/** The part of a server's identity that it cannot choose itself. */
export function identityOf(server: ServerOptions): ServerIdentity {
  const { name } = server
  if ('command' in server) return { name, named: true, target: { kind: 'stdio', command: server.command, args: server.args ?? [], cwd: server.cwd } }
  if ('url' in server) return { name, named: true, target: { kind: 'http', url: server.url } }
  return { name, named: true, target: { kind: 'custom', description: 'a transport of the application' } }
}

/** What HTTP lets stand in the value of a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** @throws ConsentryError what stands in the way of using it */
export async function targetOf(server: ServerOptions): Promise<ConnectTarget & Pick<ReadyCommand, 'startedWith'>> {
  if ('fault' in server) throw server.fault
  if ('url' in server) return { kind: 'http', url: server.url, headers: sendable(server.name, server.headers) }
  if ('transport' in server) return { kind: 'transport', transport: server.transport }
  const { command, args = [], cwd, wishes, prepare } = server
  const start: StartCommand = { command, args, cwd, env: { ...(await defaultEnvironment()), ...server.env } }
  if (wishes === undefined) return { kind: 'stdio', ...start }
  // A server that is to be held never runs without.
  if (!prepare) throw new ConsentryError('SANDBOX_UNAVAILABLE', `${server.name} is not started as its entry says ("sandbox", "rootsTo") by this application`)
  return { kind: 'stdio', ...(await prepare(start, wishes, identityOf(server))) }
}

/** Whoever sends it later would repeat the value, which may be a secret. */
function sendable(server: string, headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const bad = Object.keys(headers).find((name) => !headerValue.test(headers[name]!))
  if (bad === undefined) return headers
  throw new ConsentryError(
    'CONFIG_INVALID',
    `mcpServers.${server}.headers.${bad}: its value cannot be sent: it holds a line break, another control character, or one that is not in Latin-1`,
  )
}

/** Whether a connection that is lost can be made again. */
export function isRepeatable(server: ServerOptions): boolean {
  return !('fault' in server) && (!('transport' in server) || typeof server.transport === 'function')
}

/** Whether two options start or reach the same in the same way, so that a connection that stands can go on. */
export function isSameServer(one: ServerOptions, other: ServerOptions | undefined): boolean {
  if (other === undefined) return false
  if ('transport' in one || 'transport' in other) return 'transport' in one && 'transport' in other && one.transport === other.transport
  if ('fault' in one || 'fault' in other) return 'fault' in one && 'fault' in other && one.fault.message === other.fault.message
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(server: object): unknown {
  const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1)
  return Object.entries(server)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => [key, typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value).toSorted(byName) : value] as const,
    )
    .toSorted(byName)
}
