import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { limitBody, readWhole } from './limit-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function read(parts: readonly string[], isEvents: boolean): Promise<string> {
  const body = Readable.from(parts.map(bytes))
  return new Response(limitBody(body, { maxBytes: 10, isEvents })).text().catch((error: unknown) => (error as { code: string }).code)
}

test.each([
  ['a response of the largest size', ['01234', '56789'], false, '0123456789'],
  ['a response over it', ['01234', '567890'], false, 'PROTOCOL_VIOLATION'],
  ['a response with blank lines', ['01234\n\n', '0123456'], false, 'PROTOCOL_VIOLATION'],
  ['events', ['data: 1\n\n', 'data: 2\n\n'], true, 'data: 1\n\ndata: 2\n\n'],
  ['events cut anywhere', ['data:1\r', '\n\r', '\ndata:2', '\r\n\r\n'], true, 'data:1\r\n\r\ndata:2\r\n\r\n'],
  ['events ended by CR', ['data: 1\r\rdata: 2\r\r'], true, 'data: 1\r\rdata: 2\r\r'],
  ['an event of many lines', ['data: 1\n', 'data: 2\n'], true, 'PROTOCOL_VIOLATION'],
  ['an event of many lines with CRLF', ['data: 1\r\n', 'data: 2\r\n'], true, 'PROTOCOL_VIOLATION'],
  ['an event over the limit that ends in its chunk', ['data: 123456\n\n'], true, 'PROTOCOL_VIOLATION'],
])('a limit of 10 bytes and %s', async (_, parts, isEvents, outcome) => {
  expect(await read(parts, isEvents)).toBe(outcome)
})

test.each([
  ['of the largest size', ['01234', '56789'], '0123456789'],
  ['over it', ['01234', '567890'], 'PROTOCOL_VIOLATION'],
  ['of nothing', [], ''],
])('a limit of 10 bytes and a response %s that is read in one piece', async (_, parts, outcome) => {
  const body = Readable.from(parts.map(bytes))
  const read = await readWhole(body, 10).then(String, (error: unknown) => (error as { code: string }).code)

  expect([read, outcome === read || body.destroyed]).toEqual([outcome, true])
})

test('whoever sends without end is let go of', async () => {
  const body = new Readable({
    read() {
      this.push(bytes('data: 1\n'))
    },
  })

  await expect(new Response(limitBody(body, { maxBytes: 1000, isEvents: true })).text()).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' })
  expect(body.destroyed).toBe(true)
})

test('whoever is not read waits, and is let go of when nobody wants to read', async () => {
  let taken = 0
  const body = new Readable({
    read() {
      taken += 1024
      this.push(new Uint8Array(1024))
    },
  })
  const limited = limitBody(body, { maxBytes: 1024 * 1024 * 1024, isEvents: false })

  const reader = limited.getReader()
  await reader.read()
  await new Promise((resolve) => setImmediate(resolve))
  const whileUnread = { isPaused: body.isPaused(), isBounded: taken < 1024 * 1024 }
  await reader.cancel()

  expect({ ...whileUnread, isDestroyed: body.destroyed }).toEqual({ isPaused: true, isBounded: true, isDestroyed: true })
})

test.each([
  ['breaks', (body: Readable) => void body.destroy(new Error('broken'))],
  ['is gone without a word', (body: Readable) => void body.destroy()],
])('a body that %s in the middle is no whole one', async (_, end) => {
  const bodies = [new Readable({ read() {} }), new Readable({ read() {} })] as const
  const text = new Response(limitBody(bodies[0], { maxBytes: 1000, isEvents: false })).text()
  const whole = readWhole(bodies[1], 1000)
  for (const body of bodies) body.push(bytes('half'))

  for (const body of bodies) end(body)

  await expect(text).rejects.toThrow()
  await expect(whole).rejects.toThrow()
})
