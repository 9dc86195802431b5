import { InMemoryTransport, serializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTravelServers } from './travel.ts'

interface Reply {
  readonly result?: {
    readonly resultType?: string
    readonly requestState?: string
    readonly content?: unknown
    readonly inputRequests?: Record<string, unknown>
  }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const servers = createTravelServers()
const accepted = { booking: { action: 'accept', content: { confirmBooking: true } } }
let connection: RawConnection

/** A modern client that sends exactly what it is told to. */
class RawConnection {
  readonly #client: InMemoryTransport
  readonly #server: { close(): Promise<void> }
  readonly #waiting = new Map<unknown, (reply: Reply) => void>()
  #lastId = 0

  constructor() {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    this.#client = clientSide
    Object.assign(clientSide, { onmessage: (message: JSONRPCMessage & { id?: unknown }) => this.#waiting.get(message.id)?.(message as Reply) })
    this.#server = serveStdio(servers, { transport: serverSide })
  }

  call(name: string, params: Record<string, unknown> = {}): Promise<Reply> {
    this.#lastId += 1
    const id = this.#lastId
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} },
    }
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...params, _meta } } as const
    return new Promise((done) => {
      this.#waiting.set(id, done)
      // What a wire would make of it: nothing is shared between the two sides.
      void this.#client.send(JSON.parse(serializeMessage(message)) as JSONRPCMessage)
    })
  }

  async close(): Promise<void> {
    await this.#client.close()
    await this.#server.close()
  }
}

beforeEach(() => {
  connection = new RawConnection()
})

afterEach(async () => {
  vi.useRealTimers()
  await connection.close()
})

async function askBooking(): Promise<string> {
  return (await connection.call('book_trip')).result?.requestState ?? ''
}

const refused = { code: -32602, message: 'Invalid or expired requestState', data: { reason: 'invalid_request_state' } }

test('a question comes with a state, and the answer with that state is taken', async () => {
  const first = await connection.call('book_trip')
  const second = await connection.call('book_trip', { inputResponses: accepted, requestState: first.result?.requestState })

  expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { booking: { method: 'elicitation/create' } } })
  expect(second.result?.content).toEqual([{ type: 'text', text: expect.stringContaining('Booked') }])
})

test('an answer to a question that was never asked is no answer: the question is asked', async () => {
  const reply = await connection.call('book_trip', { inputResponses: accepted })

  expect(reply.result?.resultType).toBe('input_required')
})

test('a state is good once: replaying it books nothing a second time', async () => {
  const requestState = await askBooking()
  await connection.call('book_trip', { inputResponses: accepted, requestState })

  const replay = await connection.call('book_trip', { inputResponses: accepted, requestState })

  expect(replay.error).toEqual(refused)
})

test('a missing answer is asked for again, and things nobody asked for are ignored', async () => {
  const reply = await connection.call('book_trip', { inputResponses: { other: { action: 'accept' } }, requestState: await askBooking() })

  expect(reply.result).toMatchObject({ resultType: 'input_required', inputRequests: { booking: {} } })
})

test.each([{ action: 'maybe' }, { action: 'accept', content: 'yes' }, { roots: [] }])(
  'a malformed answer %j is a protocol error, or asked for again',
  async (booking) => {
    const reply = await connection.call('book_trip', { inputResponses: { booking }, requestState: await askBooking() })

    expect(reply.error?.code === -32602 || reply.result?.resultType === 'input_required').toBe(true)
  },
)

test('a state that was altered, cut, swapped or made up is refused', async () => {
  const state = await askBooking()
  const [version = '', body = '', signature = ''] = state.split('.')
  const other = (await askBooking()).split('.')
  const forged = ['', ' ', 'v1.', 'v1.e30.AAAA', state.slice(0, -2), `${state}A`, `${version}.${body}.${other[2]}`, `${version}.${other[1]}.${signature}`]

  const replies = await Promise.all(forged.map((requestState) => connection.call('book_trip', { inputResponses: accepted, requestState })))

  expect(replies.map(({ error }) => error)).toEqual(forged.map(() => refused))
})

test('every character of a state counts', async () => {
  const state = await askBooking()
  const body = state.lastIndexOf('.')
  const altered = Array.from({ length: body - 3 }, (_unused, index) => {
    const at = index + 3
    return state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
  })

  const replies = await Promise.all(altered.map((requestState) => connection.call('book_trip', { inputResponses: accepted, requestState })))

  expect(replies.every(({ error }) => error?.code === -32602)).toBe(true)
})

test('a state belongs to its tool, its arguments and its connection', async () => {
  const elsewhere = new RawConnection()
  const flight = (await connection.call('findBestFlight', { arguments: { preferences: 'cheap' } })).result?.requestState

  const replies = await Promise.all([
    connection.call('book_trip', { inputResponses: accepted, requestState: flight }),
    connection.call('findBestFlight', { arguments: { preferences: 'fast' }, requestState: flight }),
    connection.call('findBestFlight', { requestState: flight }),
    elsewhere.call('findBestFlight', { arguments: { preferences: 'cheap' }, requestState: flight }),
  ])
  const own = await connection.call('findBestFlight', { arguments: { preferences: 'cheap' }, requestState: flight })

  await elsewhere.close()
  expect(replies.map(({ error }) => error)).toEqual([refused, refused, refused, refused])
  expect(own.result?.resultType).toBe('input_required')
})

test('a state is good for an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [early, late] = [await askBooking(), await askBooking()]

  vi.setSystemTime(Date.now() + 59 * 60_000)
  const inTime = await connection.call('book_trip', { inputResponses: accepted, requestState: early })
  vi.setSystemTime(Date.now() + 2 * 60_000)
  const tooLate = await connection.call('book_trip', { inputResponses: accepted, requestState: late })

  expect(inTime.result?.content).toBeDefined()
  expect(tooLate.error).toEqual(refused)
})
