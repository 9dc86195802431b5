import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'

const message = (rest: object): string => JSON.stringify({ jsonrpc: '2.0', ...rest })
const schema = { type: 'object', properties: {} }
const id = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('0', '1', 'init'))

const fromServer = fc.oneof(
  id.map((one) => message({ id: one, method: 'roots/list' })),
  id.map((one) => message({ id: one, method: 'elicitation/create', params: { message: 'm', requestedSchema: schema } })),
  id.map((one) => message({ id: one, result: { resultType: 'input_required', requestState: 's', inputRequests: { a: { method: 'roots/list' } } } })),
  id.map((one) => message({ id: one, result: { content: [{ type: 'text', text: 'a "quoted" \\ text' }] } })),
  id.map((one) => message({ method: 'notifications/cancelled', params: { requestId: one } })),
)
const fromClient = fc.oneof(
  id.map((one) => message({ id: one, method: 'tools/call', params: { name: 'run', arguments: { a: [1, { b: null }] } } })),
  id.map((one) => message({ id: one, method: 'tools/call', params: modern({}, { name: 'run' }) })),
  id.map((one) => message({ id: one, result: { action: 'accept', content: {} } })),
  id.map((one) => message({ method: 'notifications/cancelled', params: { requestId: one } })),
  id.map((one) =>
    message({ id: one, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } } }),
  ),
)

/** A line that something happened to: bytes changed, taken out, doubled or put in, the whole of it in a list. */
const harmed = (line: fc.Arbitrary<string>): fc.Arbitrary<Buffer> => {
  const place = fc.nat({ max: 400 })
  const byte = fc.constantFrom(...Buffer.from('"\\{}[],: \r\t0e-u'), 0xff, 0xc3, 0x00)
  const harm = fc.oneof(
    fc.tuple(place, byte).map(
      ([at, one]) =>
        (bytes: Buffer) =>
          Buffer.concat([bytes.subarray(0, at % bytes.length), Buffer.of(one), bytes.subarray((at % bytes.length) + 1)]),
    ),
    fc.tuple(place, byte).map(
      ([at, one]) =>
        (bytes: Buffer) =>
          Buffer.concat([bytes.subarray(0, at % bytes.length), Buffer.of(one), bytes.subarray(at % bytes.length)]),
    ),
    fc.tuple(place, place).map(([from, length]) => (bytes: Buffer) => {
      const start = from % bytes.length
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + (length % 20))])
    }),
    fc.tuple(place, place).map(([from, length]) => (bytes: Buffer) => {
      const start = from % bytes.length
      const slice = bytes.subarray(start, start + (length % 60))
      return Buffer.concat([bytes.subarray(0, start), slice, bytes.subarray(start)])
    }),
    fc.constantFrom('id', 'method', 'params', 'result').map((name) => (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"${name}":7}`)])),
    fc.constant((bytes: Buffer) => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')])),
  )
  return fc
    .tuple(line, fc.array(harm, { maxLength: 3 }))
    .map(([text, harms]) => harms.reduce((bytes, one) => (bytes.length > 0 ? one(bytes) : bytes), Buffer.from(text)))
    .map((bytes) => Buffer.from(bytes.map((one) => (one === 0x0a ? 0x20 : one))))
}

type Line = { readonly from: 'client' | 'server'; readonly bytes: Buffer; readonly isHarmed: boolean }
const lines = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('client' as const), harmed(fromClient)),
      fc.tuple(fc.constant('server' as const), harmed(fromServer)),
      fc.tuple(fc.constantFrom('client' as const, 'server' as const), fc.constant(undefined)),
    ),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(([from, bytes], n): Line => ({
      from,
      bytes: bytes ?? Buffer.from(message({ method: 'vendor/note', params: { n } })),
      isHarmed: bytes !== undefined,
    })),
  )

test('whatever hostile lines stand between them: sound ones arrive as they came and in order, and nothing is answered but what was read whole', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), async (all, hasShaken) => {
      const talk = new Talk()
      talk.session.onAnswer = ({ kind }) => (kind === 'roots' ? answered({ roots: [] }, 'rule') : answered({ action: 'accept', content: {} }))
      if (hasShaken) talk.shakeHands({})
      for (const { from, bytes } of all) talk[from](Buffer.concat([bytes, Buffer.from('\n')]))
      await talk.settle()

      for (const [from, heard] of [['client', talk.serverLines] as const, ['server', talk.clientLines] as const]) {
        const said = all.filter((line) => line.from === from)
        const others = all.filter((line) => line.from !== from)
        const sound = said.filter(({ isHarmed }) => !isHarmed).map(({ bytes }) => `${bytes.toString()}\n`)
        expect(heard.filter((line) => sound.includes(line))).toEqual(sound)
        for (const line of heard.filter((one) => !said.some(({ bytes }) => one === `${bytes.toString()}\n`))) {
          const ours = parsed(line)
          // A line of which we changed a part: no better than it came.
          if (ours === undefined) expect(said.some(({ bytes }) => parsed(bytes.toString()) === undefined)).toBe(true)
          // What we say ourselves: a result is only for who wrote a whole message.
          else if ('result' in ours && from === 'client') expect(others.some(({ bytes }) => parsed(bytes.toString())?.id === ours.id)).toBe(true)
        }
      }
      talk.conversation.close(new Error('over'))
      expect(talk.clock.pending).toBe(0)
    }),
    { numRuns: 400 },
  )
})

function parsed(line: string): { readonly id?: unknown } | undefined {
  try {
    return JSON.parse(line) as { readonly id?: unknown }
  } catch {
    return undefined
  }
}
