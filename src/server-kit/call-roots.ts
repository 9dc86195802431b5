import type { HeldRoot } from '../paths/index.ts'
import { eraOf, isJsonObject, isRevision } from '../protocol/index.ts'
import type { ConfiguredFolders } from './configured-folders.ts'
import type { GrantedPlaces } from './granted-places.ts'
import type { CurrentRoots } from './path-holder.ts'
import { noRoots } from './refusals.ts'

/** What a guard needs of the context that the SDK hands to a tool. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined
  readonly mcpReq?:
    | {
        readonly signal?: AbortSignal | undefined
        readonly envelope?: object | undefined
        readonly inputResponses?: Readonly<Record<string, unknown>> | undefined
      }
    | undefined
}

/** The protocol's own names in `_meta`. @see MCP 2026-07-28 basic "`_meta`" */
const REVISION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
/** The name of our question among those of a tool. */
const QUESTION = 'consentry/roots'

/** The result that asks the client for its roots. @see MCP 2026-07-28 basic/patterns/mrtr */
export const rootsQuestion: Readonly<Record<string, unknown>> = { resultType: 'input_required', inputRequests: { [QUESTION]: { method: 'roots/list' } } }

/** Whether a call is of the era in which its own result asks. */
export function isModernCall(context: CallContext): boolean {
  const revision = ownMember(context.mcpReq?.envelope, REVISION)
  return typeof revision === 'string' && isRevision(revision) && eraOf(revision) === 'modern'
}

/**
 * The roots of one call of the modern era: they come with the call, or the call's result asks for them and it comes again. Nothing is kept for the next call, which may be somebody else's.
 */
export class CallRoots implements CurrentRoots {
  readonly #context: CallContext
  readonly #places: GrantedPlaces
  readonly #folders: ConfiguredFolders
  #isAsking = false

  constructor(context: CallContext, places: GrantedPlaces, folders: ConfiguredFolders) {
    this.#context = context
    this.#places = places
    this.#folders = folders
  }

  /** Something needed roots that have not come yet. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  async list(): Promise<readonly HeldRoot[]> {
    const { envelope, inputResponses } = this.#context.mcpReq ?? {}
    const capabilities = ownMember(envelope, CAPABILITIES)
    if (!isJsonObject(capabilities) || ownMember(capabilities, 'roots') === undefined) return this.#folders.instead('unsupported')
    const answer = ownMember(inputResponses, QUESTION)
    if (answer === undefined) {
      this.#isAsking = true
      throw noRoots('needs-answer')
    }
    const paths = this.#places.readAnswer(answer)
    if (paths === undefined) return this.#folders.instead('failed')
    return paths.length === 0 ? this.#folders.instead('empty') : this.#places.hold(paths)
  }

  /** A call is over before anything changes. */
  onChange(): () => void {
    return () => {}
  }
}

function ownMember(object: object | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}
