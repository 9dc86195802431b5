import { expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import type { InputResponse, JsonObject } from '../protocol/index.ts'
import { UrlVisits, type UrlRequiredNeeds } from './url-required.ts'
import { serverError } from './wire-error.ts'

const url = (id: string, address = `https://x.example/${id}`): JsonObject => ({ mode: 'url', elicitationId: id, url: address, message: 'Sign in' })
const required = (...elicitations: readonly unknown[]): Error => serverError({ code: -32042, message: 'need auth', data: { elicitations } })

function visits(answers: (params: JsonObject) => InputResponse, onWait: FakeSession['onWait'] = () => 'continued') {
  const session = new FakeSession()
  session.onWait = onWait
  const asked: unknown[] = []
  const needs: UrlRequiredNeeds = {
    session,
    request: { revision: '2025-11-25', call: { kind: 'tool', name: 't' } },
    answer: (params) => {
      asked.push(params['elicitationId'])
      return Promise.resolve(answers(params))
    },
    signal: new AbortController().signal,
  }
  const visit = new UrlVisits()
  return { session, asked, satisfy: (error: unknown) => visit.satisfy(error, needs) }
}

const accept = (by: 'person' | 'script' | 'rule') => (): InputResponse => answered({ action: 'accept' }, by)

test('one card for each address; all accepted: wait for all of them, then call again', async () => {
  const { session, asked, satisfy } = visits(accept('person'), () => 'completed')

  expect(await satisfy(required(url('a'), url('b')))).toBe(true)
  expect({ asked, waits: session.waits }).toEqual({
    asked: ['a', 'b'],
    waits: [
      {
        ids: ['a', 'b'],
        urls: ['https://x.example/a', 'https://x.example/b'],
        message: 'need auth',
        request: { revision: '2025-11-25', call: { kind: 'tool', name: 't' } },
      },
    ],
  })
})

test.each(['decline', 'cancel'])('%s of one card ends the call with the error', async (action) => {
  const { session, satisfy } = visits((params) => answered({ action: params['elicitationId'] === 'b' ? action : 'accept' }))

  expect(await satisfy(required(url('a'), url('b')))).toBe(false)
  expect(session.waits).toEqual([])
})

test('giving up the wait ends the call with the error', async () => {
  expect(await visits(accept('person'), () => 'cancelled').satisfy(required(url('a')))).toBe(false)
})

test.each(['script', 'rule'] as const)('a %s continues at once, and the same error again ends the call', async (by) => {
  const { asked, satisfy } = visits(accept(by))

  expect([await satisfy(required(url('a'))), await satisfy(required(url('a')))]).toEqual([true, false])
  expect(asked).toEqual(['a'])
})

test('completed, and the same error again: the server contradicts itself, the call ends', async () => {
  const { satisfy } = visits(accept('person'), () => 'completed')

  expect([await satisfy(required(url('a'))), await satisfy(required(url('a')))]).toEqual([true, false])
})

test('a person who pressed Continue too early waits on, without a second card', async () => {
  const { session, asked, satisfy } = visits(accept('person'))

  expect([await satisfy(required(url('a'))), await satisfy(required(url('a')))]).toEqual([true, true])
  expect({ asked, waits: session.waits.length }).toEqual({ asked: ['a'], waits: 2 })
})

test('another address under an identifier that was agreed to needs a card of its own', async () => {
  const { asked, satisfy } = visits(accept('person'))
  await satisfy(required(url('a')))

  expect(await satisfy(required(url('a', 'https://evil.example/')))).toBe(true)
  expect(asked).toEqual(['a', 'a'])
})

test('it does not go on for ever', async () => {
  const { satisfy } = visits(accept('person'))
  const outcomes: boolean[] = []
  for (let round = 0; round < 12; round += 1) outcomes.push(await satisfy(required(url(String(round)))))

  expect(outcomes.filter(Boolean)).toHaveLength(10)
})

test.each([
  ['another error', serverError({ code: -32602, message: 'm' })],
  ['no error of a server', new Error('x')],
  ['no list', serverError({ code: -32042, message: 'm' })],
  ['an empty list', required()],
  ['a form in the list', required(url('a'), { mode: 'form', message: 'm' })],
  ['an entry without identifier', required({ mode: 'url', url: 'https://x.example' })],
  ['a flood', required(...Array.from({ length: 17 }, (_, index) => url(String(index))))],
])('%s is not visited', async (_, error) => {
  const { asked, satisfy } = visits(accept('person'))

  expect(await satisfy(error)).toBe(false)
  expect(asked).toEqual([])
})
