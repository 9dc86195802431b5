import { expect, test } from 'vitest'
import { readBody } from './guard.ts'

const call = (body: string): Request => new Request('http://127.0.0.1/api/x', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([501, 6_000, 200_000])('a body that is nested %i levels deep is refused as one that is no call', async (levels) => {
  await expect(readBody(call(nested(levels)))).rejects.toMatchObject({ code: 'USAGE' })
})

test('a body of usual depth is read', async () => {
  expect(JSON.stringify(await readBody(call(nested(400))))).toBe(nested(400))
})

test('a caller that hangs up in the middle is no error of ours', async () => {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{'))
      stream.error(new Error('aborted'))
    },
  })
  const cut = new Request('http://127.0.0.1/api/x', { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' })

  await expect(readBody(cut)).rejects.toMatchObject({ code: 'REQUEST_REFUSED', data: { status: 400 } })
})
