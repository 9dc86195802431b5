import { ConsentryError } from '../errors.ts'
import { Host, type ServerOptions } from '../host/index.ts'
import { isJsonObject, isRevision, type JsonObject, type ServerIdentity } from '../protocol/index.ts'
import { CallReport } from './call-report.ts'
import { findServer } from './find-server.ts'
import type { ExitCode } from './exit.ts'
import { openDesk } from './open-desk.ts'
import type { Place } from './place.ts'
import { showProgress } from './progress.ts'
import { attachOwnTerminal } from './terminal/own-terminal.ts'
import { watchConfig } from './watched-config.ts'

export interface CallOptions {
  readonly tool?: string | undefined
  readonly prompt?: string | undefined
  readonly read?: string | undefined
  readonly args?: string | undefined
  readonly server?: string | undefined
  readonly url?: string | undefined
  /** What stands after `--`. */
  readonly command?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly root: readonly string[]
  readonly answers?: string | undefined
  readonly record?: string | undefined
  readonly protocol: string
  readonly json?: boolean | undefined
  readonly verbose?: boolean | undefined
}

/** With folders to tell, a server is given this long to ask for them, and a moment more to act on them, before it is called. */
const FIRST_ROOTS_MS = 1000
const AFTER_ROOTS_MS = 100

/** `consentry call`: connects, calls once, has answered what the server asks, and reports. */
export async function runCall(options: CallOptions, place: Place): Promise<ExitCode> {
  const wanted = readWanted(options)
  const config = await watchConfig(place)
  const say = (sentence: string): void => void place.stderr.write(`consentry: ${sentence}\n`)
  try {
    const server = findServer(options, config.current, place)
    const opened = await openDesk({ config, roots: options.root, answers: options.answers, record: options.record, notice: say }, place)
    const detach = opened.inbox && attachOwnTerminal(opened.inbox, place)
    if (opened.inbox && !detach) say('nobody can be asked here (no terminal, no --answers): the server is told so')
    const report = new CallReport({ json: options.json === true, place, server: server.name })
    const host = new Host({ desk: opened.desk, servers: [server] })
    const progress = showProgress(host, server.name, place, opened.inbox)
    host.on('input-answered', ({ request, response }) => report.answered(request, response))
    if (options.verbose) host.on('stderr', ({ text }) => void place.stderr.write(text))
    try {
      await host.connectTo(server.name)
      report.connected(host.statusOf(server.name).revision)
      await letServerAskForRoots(host, server, options, config.current.roots.size > 0)
      report.succeeded(await ask(host, server.name, wanted))
    } catch (error) {
      report.failed(error)
    } finally {
      progress.stop()
      detach?.()
      await host.close()
      await opened.close()
    }
    return report.print()
  } finally {
    config.close()
  }
}

type Wanted =
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'resource'; readonly uri: string }

function readWanted({ tool, prompt, read, args, protocol }: CallOptions): Wanted {
  const given = [tool, prompt, read].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one thing to ask for: a TOOL, --prompt NAME or --read URI')
  if (protocol !== 'auto' && !isRevision(protocol)) throw new ConsentryError('USAGE', `"${protocol}" is no revision of the protocol`)
  const values = args === undefined ? {} : readArguments(args)
  if (read !== undefined) return { kind: 'resource', uri: read }
  return prompt === undefined ? { kind: 'tool', name: tool!, arguments: values } : { kind: 'prompt', name: prompt, arguments: values }
}

function readArguments(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ConsentryError('USAGE', `--args is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!isJsonObject(value)) throw new ConsentryError('USAGE', '--args must be a JSON object, such as {"city":"Paris"}')
  return value
}
