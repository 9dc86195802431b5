import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createRequestStateCodec, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import type { Memory } from './conversation.ts'

/** The call that a state belongs to, and no other. */
export interface Call {
  readonly connection: string
  readonly tool: string
  readonly input: unknown
}

interface SealedState {
  readonly id: string
  readonly call: string
  readonly memory: Memory
}

/** Longer than a person may think, short enough to be forgotten. */
const lifetimeSeconds = 60 * 60

/**
 * Turns memories into `requestState` and back. A state is signed with a key that dies with this process, is good for
 * one hour, for one call with the same arguments on the same connection, and only once.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr, server requirements 4 and 5
 */
export class RequestState {
  readonly #codec = createRequestStateCodec<SealedState>({ key: randomBytes(32), ttlSeconds: lifetimeSeconds })
  /** Used states by id, with the time in milliseconds at which they expire by themselves. */
  readonly #used = new Map<string, number>()

  /** The signature and the expiry; runs before any tool does. */
  readonly verify = (state: string, context: ServerContext): Promise<unknown> => this.#codec.verify(state, context)

  seal(call: Call, memory: Memory): Promise<string> {
    return this.#codec.mint({ id: randomUUID(), call: digest(call), memory })
  }

  /** @returns what was remembered; undefined where no state came along */
  open(call: Call, context: ServerContext): Memory | undefined {
    const state = context.mcpReq.requestState<SealedState>()
    if (state === undefined) return undefined
    if (state.call !== digest(call) || this.#used.has(state.id)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' })
    }
    this.#markUsed(state.id)
    return state.memory
  }

  #markUsed(id: string): void {
    const now = Date.now()
    for (const [old, expiry] of this.#used) {
      if (expiry > now) break
      this.#used.delete(old)
    }
    this.#used.set(id, now + lifetimeSeconds * 1000)
  }
}

function digest({ connection, tool, input }: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([connection, tool, sortKeys(input)]))
    .digest('base64url')
}

/** The same arguments in another order are the same arguments. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => [key, sortKeys(member)])
}
