import { ConsentryError } from '../errors.ts'
import {
  eraOf,
  inputMethods,
  isAtLeast,
  isJsonObject,
  isRevision,
  latestLegacyRevision,
  latestRevision,
  type AnswerCapabilities,
  type DeskSession,
  type InputMethod,
  type JsonObject,
  type Revision,
} from '../protocol/index.ts'
import { metaKeys } from './meta-keys.ts'
import type { RequestMessage } from './wire-message.ts'

const nothing: AnswerCapabilities = { roots: false, form: false, url: false, sampling: false, samplingTools: false }
const ours: ReadonlySet<string> = new Set(['roots', 'elicitation', 'sampling'])

/** Leaves out what a revision does not know: elicitation came with 2025-06-18, URLs and tools in sampling with 2025-11-25. */
export function knownTo(revision: Revision, can: AnswerCapabilities): AnswerCapabilities {
  const hasModes = isAtLeast(revision, '2025-11-25')
  return {
    roots: can.roots,
    form: can.form && isAtLeast(revision, '2025-06-18'),
    url: can.url && hasModes,
    sampling: can.sampling,
    samplingTools: can.sampling && can.samplingTools && hasModes,
  }
}

/** What can be answered, as the protocol declares it; what cannot is absent. @see MCP basic/lifecycle "Capability Negotiation" and 2026-07-28 basic "_meta" */
export function toClientCapabilities(revision: Revision, can: AnswerCapabilities): JsonObject {
  const { roots, form, url, sampling, samplingTools } = knownTo(revision, can)
  const modes = isAtLeast(revision, '2025-11-25') ? { ...(form && { form: {} }), ...(url && { url: {} }) } : {}
  return {
    ...(roots && { roots: eraOf(revision) === 'legacy' ? { listChanged: true } : {} }),
    ...((form || url) && { elicitation: modes }),
    ...(sampling && { sampling: samplingTools ? { tools: {} } : {} }),
  }
}

/**
 * What a server was promised: once in the handshake of a legacy connection, anew with every request of the modern era.
 * Never more than can be answered at that moment.
 */
export class Declaration {
  readonly #session: Pick<DeskSession, 'capabilities'>
  #handshake: AnswerCapabilities

  constructor(session: Pick<DeskSession, 'capabilities'>) {
    this.#session = session
    this.#handshake = this.now()
  }

  /** What can be answered at this moment. A session that cannot say so can answer nothing. */
  now(): AnswerCapabilities {
    try {
      return this.#session.capabilities()
    } catch {
      return nothing
    }
  }

  /** What a legacy server was told when the connection was made; it may ask this for as long as the connection lives. */
  get handshake(): AnswerCapabilities {
    return this.#handshake
  }

  /** Puts the promise of this moment into a request that leaves, in place of what an SDK knew when it was made. */
  readonly into = (request: RequestMessage): RequestMessage => {
    const { method, params = {} } = request
    if (method === 'initialize') {
      this.#handshake = this.now()
      const revision = isRevision(params['protocolVersion']) ? params['protocolVersion'] : latestLegacyRevision
      const capabilities = { ...withoutOurs(params['capabilities']), ...toClientCapabilities(revision, this.#handshake) }
      return { ...request, params: { ...params, capabilities } }
    }
    const meta = params['_meta']
    if (!isJsonObject(meta) || typeof meta[metaKeys.protocolVersion] !== 'string') return request
    const capabilities = { ...withoutOurs(meta[metaKeys.clientCapabilities]), ...toClientCapabilities(latestRevision, this.now()) }
    return { ...request, params: { ...params, _meta: { ...meta, [metaKeys.clientCapabilities]: capabilities } } }
  }
}

/**
 * Why a server must not ask this, or undefined where it may.
 * @see MCP client/elicitation "Error Handling" (a mode that was not declared), client/sampling "Tools", client/roots "Error Handling"
 */
export function undeclared(method: InputMethod, params: unknown, promised: AnswerCapabilities): ConsentryError | undefined {
  const given = isJsonObject(params) ? params : {}
  const kind = inputMethods[method]
  const isPromised = { roots: promised.roots, elicitation: promised.form || promised.url, sampling: promised.sampling }[kind]
  if (!isPromised) return new ConsentryError('FEATURE_NOT_DECLARED', `Method not found: this client did not declare ${kind}`)
  if (kind === 'elicitation') {
    const mode = given['mode'] === 'url' ? 'url' : 'form'
    if (!promised[mode])
      return new ConsentryError('ELICITATION_INVALID', `This client did not declare elicitation in ${mode} mode`, {
        data: { path: 'mode', reason: 'not-declared' },
      })
  }
  if (kind === 'sampling' && !promised.samplingTools) {
    const path = ['tools', 'toolChoice'].find((name) => given[name] !== undefined)
    if (path !== undefined)
      return new ConsentryError('SAMPLING_INVALID', 'This client did not declare sampling.tools', { data: { path, reason: 'not-declared' } })
  }
  return undefined
}

function withoutOurs(capabilities: unknown): JsonObject {
  return isJsonObject(capabilities) ? Object.fromEntries(Object.entries(capabilities).filter(([name]) => !ours.has(name))) : {}
}
