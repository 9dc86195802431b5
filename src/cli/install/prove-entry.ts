import type { Wrapper } from '../../clients/index.ts'
import { wireCodes } from '../../mcp/wire-error.ts'
import type { Json } from '../../protocol/index.ts'
import type { Place } from '../place.ts'
import { reachServer, type ReachOptions } from '../reach-server.ts'
import { addressOf, environmentFor, startEntry } from './started-entry.ts'

/** What came of starting an entry as it would be written. */
export type Proof =
  /** `without`: why only our words were tried, and not the server. */
  { readonly ok: true; readonly without?: string | undefined } | { readonly ok: false; readonly why: string }

export interface ProofOptions extends ReachOptions {
  readonly wrapper: Wrapper
  /** Where the client starts its servers. */
  readonly folder: string
}

/** A server in one line that shakes hands and does nothing else: where the real one cannot be started without its client, our words are proven with it. */
const stub = `require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const{id,method,params}=JSON.parse(line);if(id===undefined)return;console.log(JSON.stringify({jsonrpc:"2.0",id,...(method==="initialize"?{result:{protocolVersion:params.protocolVersion,capabilities:{},serverInfo:{name:"stub",version:"1"}}}:{error:{code:${wireCodes.methodNotFound},message:"no"}})}))})`

/**
 * Starts an entry once as its client would, with an empty PATH: the program, the wrap, and the server behind it up to its handshake. Nothing is called, no desk is started,
 * and no browser opened.
 *
 * @param entry its value as it would be written
 */
export async function proveEntry(entry: Json | undefined, options: ProofOptions, place: Place): Promise<Proof> {
  const { folder } = options
  const address = addressOf(entry, folder, place)
  const direct = address && (await reachServer(address, options))
  // A sign-in is for a person, when the server is first used.
  if (direct?.ok === false && direct.wantsSignIn) return proveWords(options, place, 'it wants somebody to sign in, and a browser opens when it is first used')
  if (direct?.ok === false) return { ok: false, why: direct.why }
  const started = await startEntry(entry, { folder, path: '' }, place)
  if (started.kind === 'unfit') return { ok: false, why: started.why }
  if (started.kind === 'unknown') return proveWords(options, place, `only its client knows ${started.variable}`)
  const reached = await reachServer(started.target, options)
  return reached.ok ? { ok: true } : { ok: false, why: reached.why }
}

async function proveWords({ wrapper: { node, program }, folder, ...options }: ProofOptions, place: Place, note: string): Promise<Proof> {
  const args = [program, 'wrap', '--no-desk', '--', node, '-e', stub]
  const reached = await reachServer({ kind: 'stdio', command: node, args, env: await environmentFor('', place), cwd: folder }, options)
  return reached.ok ? { ok: true, without: note } : { ok: false, why: reached.why }
}
