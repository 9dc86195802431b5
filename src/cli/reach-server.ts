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
  /** What this shell knows: a server that is started as its client starts it is not told of all of it. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
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

/** Without these, what has to be fetched may never come: behind a proxy that has certificates of its own, npm tries again and again and says nothing. */
const forDownloads =
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|ALL)_PROXY|npm_config_(?:registry|cafile|proxy|https_proxy)|(?:UV|PIP)_INDEX_URL)$/i

/** What is fetched when it is first started takes its time. */
function tooLate(target: ConnectTarget, { waitMs, environment = {} }: ReachOptions): string {
  const words = target.kind === 'stdio' ? [target.command, ...(target.args ?? [])] : []
  const downloader = words.map((word) => word.replace(/^.*[\\/]|\.(?:exe|cmd)$/gi, '')).find((word) => downloaders.has(word))
  const late = `it did not answer within ${waitMs / 1000} s`
  if (downloader === undefined) return `${late} (--wait gives it longer)`
  const given = target.kind === 'stdio' ? target.env : undefined
  const kept = Object.keys(environment).filter((name) => forDownloads.test(name) && environment[name] !== given?.[name])
  const without = `; it was started as its client starts it, without ${kept.join(', ')} of this shell: what the download needs belongs into the "env" of its entry`
  return `${late}: ${downloader} may still be downloading it, so try again (--wait gives it longer)${kept.length === 0 ? '' : without}`
}

/** Connects to a server, up to the end of the handshake, and leaves. Nothing is called, and nobody is asked to sign in. Never rejects. */
export async function reachServer(target: ConnectTarget, options: ReachOptions): Promise<Reach> {
  const { waitMs, signal } = options
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
    if (enough.aborted) return { ok: false, why: tooLate(target, options), wantsSignIn: false }
    return { ok: false, why: error.message, wantsSignIn: error.data?.['status'] === 401 }
  }
}
