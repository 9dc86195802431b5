import { ConsentryError } from '../errors.ts'
import { connect, type ConnectTarget } from '../mcp/index.ts'
import type { DeskSession } from '../protocol/index.ts'
import { clientInfo } from './client-info.ts'

/** What came of a try to connect. */
export type Reach =
  | {
      readonly ok: true
      readonly revision: string
      /** What the server calls itself. */
      readonly name?: string | undefined
      readonly version?: string | undefined
      readonly milliseconds: number
    }
  | { readonly ok: false; readonly why: string; readonly wantsSignIn: boolean }

export interface ReachOptions {
  /** Milliseconds until it is given up. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** Nobody answers here: a server that is only looked at may ask nothing. */
const nobody: DeskSession = {
  origin: { server: { name: 'nobody', named: false, target: { kind: 'custom', description: 'nobody' } }, connection: 'none' },
  capabilities: () => ({ roots: false, form: false, url: false, sampling: false, samplingTools: false }),
  answer: async () => ({ outcome: 'withdrawn', reason: 'nobody answers here' }),
  complete: () => undefined,
  awaitCompletion: async () => 'cancelled',
  on: () => () => undefined,
  close: () => undefined,
}

const downloaders: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'uvx', 'uv', 'pipx', 'docker', 'podman'])

/** What is fetched when it is first started takes its time. */
function tooLate(target: ConnectTarget, waitMs: number): string {
  const words = target.kind === 'stdio' ? [target.command, ...(target.args ?? [])] : []
  const downloader = words.map((word) => word.replace(/^.*[\\/]|\.(?:exe|cmd)$/gi, '')).find((word) => downloaders.has(word))
  const reason = downloader === undefined ? '' : `: ${downloader} may still be downloading it, so try again`
  return `it did not answer within ${waitMs / 1000} s${reason} (--wait gives it longer)`
}

/** Connects to a server, up to the end of the handshake, and leaves. Nothing is called, and nobody is asked to sign in. Never rejects. */
export async function reachServer(target: ConnectTarget, { waitMs, signal }: ReachOptions): Promise<Reach> {
  const began = performance.now()
  const enough = AbortSignal.timeout(waitMs)
  try {
    const connection = await connect({
      target,
      session: nobody,
      clientInfo: clientInfo(),
      signal: AbortSignal.any([signal, enough]),
      timeouts: { connectTimeoutMs: waitMs },
    })
    const { revision, server } = connection
    const milliseconds = Math.round(performance.now() - began)
    await connection.close()
    return { ok: true, revision, name: server.name, version: server.version, milliseconds }
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    if (enough.aborted) return { ok: false, why: tooLate(target, waitMs), wantsSignIn: false }
    return { ok: false, why: error.message, wantsSignIn: error.data?.['status'] === 401 }
  }
}
