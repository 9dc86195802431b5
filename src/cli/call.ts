import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsentryError } from '../errors.ts'
import type { Inbox } from '../inbox/index.ts'
import { connect, type ServerConnection } from '../mcp/index.ts'
import type { ConfigFile } from '../policy/index.ts'
import { eraOf, isJsonObject, isRevision, type JsonObject, type Revision } from '../protocol/index.ts'
import { CallReport } from './call-report.ts'
import { clientInfo } from './client-info.ts'
import type { ExitCode } from './exit.ts'
import { findServer, type FoundServer } from './find-server.ts'
import { openConfig } from './open-config.ts'
import { openDesk } from './open-desk.ts'
import { hasTerminal, type Place } from './place.ts'
import { showProgress } from './progress.ts'
import { safeText } from './terminal/safe-text.ts'

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
  const config = await openConfig(place)
  try {
    return await callOnce(wanted, await findServer(options, config.current, place), config, options, place)
  } finally {
    config.close()
  }
}

async function callOnce(wanted: Wanted, server: FoundServer, config: ConfigFile, options: CallOptions, place: Place): Promise<ExitCode> {
  const say = (sentence: string): void => void place.stderr.write(`consentry: ${safeText(sentence, { lines: true })}\n`)
  const opened = await openDesk({ config, roots: options.root, answers: options.answers, record: options.record, notice: say }, place)
  const detach = opened.inbox && (await attachTerminal(opened.inbox, place))
  if (opened.inbox && !detach) say('nobody can be asked here (no terminal, no --answers FILE): questions are not offered to the server')

  const { name } = server.identity
  const report = new CallReport({ json: options.json === true, place, server: name })
  const progress = showProgress(`waiting for ${safeText(name, { maximum: 60 })}`, place, opened.inbox)
  const session = opened.desk.open({ server: server.identity, connection: randomUUID() })
  let tellRoots = (): void => undefined
  const rootsTold = new Promise<void>((resolve) => (tellRoots = resolve))
  let connection: ServerConnection | undefined
  try {
    connection = await connect({
      target: server.target,
      session,
      clientInfo: clientInfo(),
      protocol: options.protocol as 'auto' | Revision,
      observer: {
        answered(request, response) {
          report.answered(request, response)
          if (request.kind === 'roots') tellRoots()
        },
      },
      ...(options.verbose && { onStderr: (text: string) => void place.stderr.write(safeText(text, { lines: true, maximum: Infinity })) }),
    })
    report.connected(connection.revision)
    if (opened.hasRoots(server.identity) && eraOf(connection.revision) === 'legacy') await settle(rootsTold)
    report.succeeded(await ask(connection, wanted))
  } catch (error) {
    report.failed(error)
  } finally {
    progress.stop()
    detach?.()
    await connection?.close()
    session.close()
    await opened.close()
  }
  return report.print()
}

/** Prompts are loaded only where somebody can see them. @returns undefined where nobody can */
async function attachTerminal(inbox: Inbox, place: Place): Promise<(() => void) | undefined> {
  if (!hasTerminal(place)) return undefined
  const { attachOwnTerminal } = await import('./terminal/own-terminal.ts')
  return attachOwnTerminal(inbox, place)
}

/** A server that is told folders is given a moment to ask for them, and to act on them, before it is called. */
async function settle(rootsTold: Promise<void>): Promise<void> {
  await Promise.race([rootsTold, sleep(FIRST_ROOTS_MS)])
  await sleep(AFTER_ROOTS_MS)
}

function ask(connection: ServerConnection, wanted: Wanted): Promise<JsonObject> {
  switch (wanted.kind) {
    case 'tool':
      return connection.callTool({ name: wanted.name, arguments: wanted.arguments })
    case 'prompt':
      return connection.getPrompt({ name: wanted.name, arguments: wanted.arguments })
    case 'resource':
      return connection.readResource({ uri: wanted.uri })
    default:
      return wanted satisfies never
  }
}

type Wanted =
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> }
  | { readonly kind: 'resource'; readonly uri: string }

function readWanted({ tool, prompt, read, args, protocol }: CallOptions): Wanted {
  const given = [tool, prompt, read].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one thing to ask for: a TOOL, --prompt NAME or --read URI')
  if (protocol !== 'auto' && !isRevision(protocol)) throw new ConsentryError('USAGE', `"${protocol}" is no revision of the protocol`)
  const values = args === undefined ? {} : readArguments(args)
  if (read !== undefined) return { kind: 'resource', uri: read }
  if (tool !== undefined) return { kind: 'tool', name: tool, arguments: values }
  const wrong = Object.entries(values).find(([, value]) => typeof value !== 'string')
  if (wrong) throw new ConsentryError('USAGE', `--args of a prompt are texts; "${wrong[0]}" is none`)
  return { kind: 'prompt', name: prompt!, arguments: values as Readonly<Record<string, string>> }
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
