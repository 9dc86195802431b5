import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Grants } from '../policy/index.ts'
import { openConsole } from '../../test/fixtures/open-console.ts'
import { dayOf } from './read-day.ts'

const travel = { name: 'travel', named: true, target: { kind: 'custom', description: 'travel' } } as const

test('limits of all servers together, and of each that has none of its own, are set from the console, and hold at once', async () => {
  const { enter, edited, config } = await openConsole({ config: '{\n  // mine\n}\n' })
  const person = await enter()

  const before = await person.call('limits/get', {})
  const changes = [
    await person.call('limits/set', { scope: 'total', before: {}, limits: { costPerDay: 2, tokensPerDay: 1000 } }),
    await person.call('limits/set', { scope: 'each', before: {}, limits: { requestsPerMinute: 5 } }),
    await person.call('limits/set', { scope: 'total', before: { tokensPerDay: 1000, costPerDay: 2 }, limits: { costPerDay: -2 } }),
  ]
  const after = await person.call('limits/get', {})

  expect(before).toEqual({ limits: { total: {}, each: {} }, used: [] })
  expect(changes.map(({ status }) => status)).toEqual(['changed', 'changed', 'refused'])
  expect(after).toEqual({
    limits: { total: { costPerDay: 2, tokensPerDay: 1000 }, each: { requestsPerMinute: 5 } },
    used: [
      expect.objectContaining({ scope: 'total', limit: 'tokensPerDay', allowed: 1000, used: 0 }),
      expect.objectContaining({ scope: 'total', limit: 'costPerDay', allowed: 2, used: 0 }),
    ],
  })
  expect([config.current.sampling.total?.costPerDay, (await readFile(edited.file, 'utf8')).includes('// mine')]).toEqual([2, true])
})

test('the end of a consent is moved to the end of a day, told to every window, and never into the past', async () => {
  const { enter, store, audit } = await openConsole()
  const grant = await new Grants({ store }).add(travel, { kind: 'roots', details: { path: '/a' } })
  const person = await enter()
  const events = await person.watch()
  await events.snapshot()
  const tomorrow = dayOf(Date.now() + 86_400_000)

  const answer = await person.call('grants/change', { id: grant.id, until: tomorrow })
  const told = await events.next('server-touched', ({ what }) => what === 'grants')
  const { grants } = await person.call('grants/list', { server: 'travel' })
  const refused = await Promise.allSettled([
    person.call('grants/change', { id: grant.id, until: dayOf(Date.now() - 86_400_000) }),
    person.call('grants/change', { id: grant.id, until: 'for ever' }),
  ])
  const unknown = await person.call('grants/change', { id: 'no-such', until: tomorrow })
  events.close()

  expect([answer, told.name, unknown]).toEqual([{ changed: true }, 'travel', { changed: false }])
  expect(grants.map(({ id, expiresAt }) => [id, dayOf(expiresAt!), dayOf(expiresAt! + 1) > tomorrow])).toEqual([[grant.id, tomorrow, true]])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const written = (await audit.list({ after: 0, limit: 10 })).map(({ event, server, facts }) => ({ event, server, facts }))
  expect(written).toEqual([{ event: 'granted', server: 'travel', facts: { granted: ['/a'], source: 'grant', holds: expect.stringContaining('T') } }])
})
