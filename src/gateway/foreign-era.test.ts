import { expect, test } from 'vitest'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'

const error = { code: -32601, message: 'Method not found' }
const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } }

test('a client and a server of different eras: their errors pass as they are, and stderr says once what to do', () => {
  const [earlier, later] = [new Talk(), new Talk()]
  for (const id of [0, 1]) earlier.client({ ...initialize, id }).server({ id, error })
  for (const id of [0, 1]) later.client({ id, method: 'tools/list', params: modern({}) }).server({ id, error })

  expect([earlier, later].map(({ atClient }) => atClient.map((said) => said.error))).toEqual([
    [error, error],
    [error, error],
  ])
  expect([earlier.notices, later.notices]).toEqual([
    [expect.stringMatching(/refuses the handshake: it may speak 2026-07-28 alone.*does not bridge/)],
    [expect.stringMatching(/refuses tools\/list of 2026-07-28.*does not bridge/)],
  ])
})

test('a client that speaks both and only tries is told nothing, nor is anybody of errors of a call', () => {
  const talk = new Talk()
  talk.client({ id: 0, method: 'server/discover', params: modern({}) }).server({ id: 0, error })
  talk.shakeHands()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'run' } }).server({ id: 1, error })
  talk.client({ id: 2, method: 'tools/call', params: modern({}, { name: 'run' }) }).server({ id: 2, error })

  expect(talk.notices).toEqual([])
})
