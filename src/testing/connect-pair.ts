import type { AttachedClient, AttachOptions } from '../mcp/attach.ts'
import { latestRevision, type Desk, type DeskSession, type Era } from '../protocol/index.ts'
import { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server.ts'

export interface ConnectPairOptions {
  /** A scripted server, which stays open when the pair is closed, or what one should do. */
  readonly server: ScriptedServer | ScriptedServerOptions
  /** Where the server's questions are decided. It stays open when the pair is closed. */
  readonly desk: Desk
  /** Default: legacy. */
  readonly era?: Era | undefined
  /** The server's name in reviews, rules and the audit log. Default: `scripted`. */
  readonly name?: string | undefined
  /** How long calls may take, a clock to turn, an observer. */
  readonly attach?: AttachOptions | undefined
}

/** Both ends of one connection. */
export interface ConnectedPair {
  readonly server: ScriptedServer
  /** Calls the server, and answers what it asks. */
  readonly client: AttachedClient
  readonly session: DeskSession
  /** Ends the client and the session, and the server if it was made here. Safe to call twice. */
  readonly close: () => Promise<void>
}

/**
 * Joins a client that has the answers of a desk with a scripted server, in memory.
 *
 * @throws ConsentryError as `attach` does
 *
 * @example
 * ```ts
 * import type { Desk } from 'consentry'
 * import { connectPair, formQuestion } from 'consentry/testing'
 *
 * async function seatFrom(desk: Desk): Promise<unknown> {
 *   const seat = formQuestion('Window or aisle?', { seat: { type: 'string' } })
 *   const { server, client, close } = await connectPair({ desk, server: { tools: { book: [seat] } } })
 *   await client.callTool({ name: 'book' })
 *   await close()
 *   return server.answers[0]?.answer
 * }
 * ```
 */
export async function connectPair({ server: given, desk, era = 'legacy', name = 'scripted', attach: options }: ConnectPairOptions): Promise<ConnectedPair> {
  // Loaded here, so that who only wants a server or a person gets by without the SDK.
  const [{ Client }, { attach }] = await Promise.all([import('@modelcontextprotocol/client'), import('../mcp/attach.ts')])
  const isGiven = 'connect' in given
  const server = isGiven ? given : createScriptedServer(given)
  pairs += 1
  const session = desk.open({ server: { name, named: true, target: { kind: 'custom', description: 'in memory' } }, connection: `pair-${pairs}` })
  const mode = era === 'legacy' ? 'legacy' : { pin: latestRevision }
  const sdkClient = new Client({ name: 'consentry-testing', version: '1.0.0' }, { versionNegotiation: { mode } })
  await session.known
  const client = attach(sdkClient, session, options)

  async function close(): Promise<void> {
    client.close()
    await sdkClient.close()
    session.close()
    if (!isGiven) await server.close()
  }

  try {
    await sdkClient.connect(server.connect())
  } catch (error) {
    await close()
    throw error
  }
  return { server, client, session, close }
}

/** Connections are told apart by their names, in one desk and across all pairs. */
let pairs = 0
