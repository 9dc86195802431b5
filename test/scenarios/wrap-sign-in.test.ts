import { expect, onTestFinished, test } from 'vitest'
import { GuardedServer } from '../fixtures/guarded-server.ts'
import { Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'notes', version: '1' } }

test('a server at an address that wants a token: somebody signs in once in a browser, the next wrap uses that, and a token that ran out is made new without a word', async () => {
  const guarded = new GuardedServer()
  guarded.onRequest = (method) => (method === 'initialize' ? initialized : { content: [] })
  const address = await guarded.start()
  onTestFinished(() => guarded.close())
  const place = new Workplace()
  // Nothing opens a browser where there is none, and no keyring of this machine is used.
  const environment = { PATH: place.folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
  const connect = (): RawClient => RawClient.wrap(place, ['--no-desk', '--url', `${address}/mcp`], environment)
  const visit = (client: RawClient): URL | undefined => {
    const page = /visit: (http\S+)/.exec(client.stderr)?.[1]
    return page === undefined ? undefined : new URL(page)
  }

  const first = connect()
  const greeted = first.shakeHands()
  await first.until(() => visit(first) !== undefined)
  const { searchParams } = visit(first)!
  const back = await fetch(`${searchParams.get('redirect_uri')!}?code=a-code&state=${searchParams.get('state')!}`)
  await greeted
  first.child.stdin!.end()
  await first.ended

  const second = connect()
  await second.shakeHands()
  guarded.valid.clear()
  second.say({ id: 1, method: 'tools/call', params: { name: 'run', arguments: {} } })
  const answer = await second.answerTo(1)
  second.child.stdin!.end()
  await second.ended

  expect([back.status, visit(second), answer.result]).toEqual([200, undefined, { content: [] }])
  expect([guarded.registered.length, guarded.grants]).toEqual([1, ['authorization_code', 'refresh_token']])
  expect([...first.lines, ...second.lines, second.stderr].join('\n')).not.toMatch(/token-\d|a-code/)
}, 120_000)
