import { expect, test } from 'vitest'
import { WholeResponse } from './whole-response.ts'

const about = { status: 201, statusText: 'Made', headers: { 'content-type': 'application/json', a: 'b' } }
const respond = (text: string): WholeResponse => new WholeResponse(new TextEncoder().encode(text), about)

test('a response that is here already is read like any other, as often as somebody wants', async () => {
  const response = respond('{"a":"\u00fc"}')
  const copy = response.clone()

  expect([response.status, response.ok, response.statusText, response.headers.get('a'), copy.status, copy.headers.get('a')]).toEqual([
    201,
    true,
    'Made',
    'b',
    201,
    'b',
  ])
  expect([await response.json(), await response.text(), await copy.json()]).toEqual([{ a: '\u00fc' }, '{"a":"\u00fc"}', { a: '\u00fc' }])
})

test('a mark of the byte order is no part of the text, and what is no JSON is told as by any other response', async () => {
  expect(await respond('\uFEFF[1]').json()).toEqual([1])
  await expect(respond('{').json()).rejects.toThrow(SyntaxError)
})
