import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/index.ts'
import { readToDesk, writeOrigin, type ToDesk } from './remote-messages.ts'

const long = 'x'.repeat(200_000)
const call = { kind: 'tool', name: long } as const

/** As it goes over the socket. */
function sent(message: ToDesk): JsonObject {
  return JSON.parse(JSON.stringify(message)) as JsonObject
}

test.each<ToDesk>([
  { type: 'complete', session: 1, elicitationId: long },
  { type: 'client', session: 1, feature: 'sampling', how: 'silence' },
  {
    type: 'ask',
    id: 1,
    session: 1,
    request: { kind: 'elicitation', revision: '2025-11-25', params: { message: long }, call, key: long, isInCall: true, isTakenOver: true },
  },
  { type: 'wait', id: 1, session: 1, wait: { ids: [long], urls: [long], message: long, request: { revision: '2025-11-25', call }, goesOn: true } },
])('what a server chooses may be as long as it likes: $type', (message) => {
  expect(readToDesk(sent(message))).toEqual(message)
})

test.each([
  { type: 'decide', id: 1, decision: { action: 'accept' } },
  { type: 'ask', id: 1, session: -1, request: { kind: 'roots', revision: '2025-11-25' } },
  { type: 'ask', id: '1', session: 1, request: { kind: 'roots', revision: '2025-11-25' } },
  { type: 'ask', id: 1, session: 1, request: { kind: 'decision', revision: '2025-11-25' } },
  { type: 'complete', session: 1, elicitationId: 7 },
  { type: 'client', session: 1, how: 'accept' },
  { type: 'client', session: 1, feature: 'decisions', how: 'silence' },
  { type: '__proto__' },
])('%j is nothing that a wrap says', (message) => {
  expect(readToDesk(message)).toBe(undefined)
})

/** As a wrap of the first version wrote it. */
const openOfFirst =
  '{"type":"open","session":1,"origin":{"server":{"name":"air","named":true,"target":{"kind":"stdio","command":"node","args":["srv.mjs"]}},"connection":"c1","client":"c","saysHeld":true,"fixedAtStart":true,"canRestart":true},"folders":[]}'

test('a wrap of the first version that holds its server says so in its own words, and they are understood', () => {
  const message = readToDesk(JSON.parse(openOfFirst) as JsonObject)
  const later = readToDesk(JSON.parse(openOfFirst.replace('"fixedAtStart":true', '"fixedAtStart":false')) as JsonObject)

  expect([message, later].map((one) => one?.type === 'open' && one.origin.startedWith)).toEqual(['unsaid', undefined])
})

test('a desk of the first version is told in its own words that a server has its folders from its start', () => {
  const { origin } = readToDesk(JSON.parse(openOfFirst) as JsonObject) as Extract<ToDesk, { type: 'open' }>
  const held = { ...origin, startedWith: ['/w/app'] }
  const free = { ...origin, startedWith: undefined }

  expect([writeOrigin(held, 1), writeOrigin(held, 2), writeOrigin(free, 1)]).toEqual([{ ...held, fixedAtStart: true }, held, free])
})
