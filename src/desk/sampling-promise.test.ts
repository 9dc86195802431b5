import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, serve } from '../../test/fixtures/desk-line.ts'
import { Grants, Policy, type NewGrant, type PolicyOptions } from '../policy/index.ts'
import { createSamplingMemory, noModels, type Models } from '../sampling/index.ts'
import { LazyStore } from '../store/index.ts'
import * as scripted from '../testing/index.ts'
import { connection, modelQuestion, oneModel, written } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import type { LocalDesk } from './local-desk.ts'
import { RemoteDesk } from './remote-desk.ts'

const always: NewGrant = { kind: 'sampling', details: { says: 'allow', skip: 'both' } }

function openGrants(now: () => number = Date.now): Grants {
  const folder = mkdtempSync(join(tmpdir(), 'sampling-promise-'))
  const store = new LazyStore({ file: join(folder, 'consentry.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return new Grants({ store, now })
}

/** A desk where nobody is. */
function unattended(grants: Grants, { models = oneModel(() => written), policy = {} }: { models?: Models; policy?: PolicyOptions } = {}): LocalDesk {
  const { desk } = createLocalDesk({ models, policy: new Policy(policy), samplingMemory: createSamplingMemory(grants) })
  onTestFinished(() => desk.close())
  return desk
}

async function promised(desk: LocalDesk): Promise<readonly [boolean, string]> {
  const session = desk.open(connection)
  await session.known
  return [session.capabilities().sampling, (await session.answer(modelQuestion, new AbortController().signal)).outcome]
}

test.each<[string, NewGrant | undefined, Parameters<typeof unattended>[1], boolean]>([
  ['said "don’t ask again"', always, {}, true],
  ['said nothing', undefined, {}, false],
  ['wants to see the answer', { ...always, details: { says: 'allow', skip: 'prompt' } }, {}, false],
  ['wants to see the prompt', { ...always, details: { says: 'allow', skip: 'completion' } }, {}, false],
  ['said "never"', { ...always, details: { says: 'deny', skip: 'both' } }, {}, false],
  ['said it until yesterday', { ...always, expiresAt: 1 }, {}, false],
  ['has no model any more', always, { models: noModels }, false],
  ['has "always ask me" on', always, { policy: { alwaysAsk: true } }, false],
  ['has a rule that asks', always, { policy: { rules: [{ server: 'travel', request: 'sampling', decision: 'ask' }] } }, false],
  ['has a rule that denies', always, { policy: { rules: [{ server: 'travel', request: 'sampling', decision: 'deny' }] } }, false],
])('with nobody there, a server is told that it may ask models exactly where it is answered: a person who %s', async (_, grant, parts, isServed) => {
  const grants = openGrants()
  if (grant) await grants.add(connection.server, grant)

  expect(await promised(unattended(grants, parts))).toEqual([isServed, isServed ? 'answered' : 'refused'])
})

test('what is remembered for another server promises this one nothing', async () => {
  const grants = openGrants()
  await grants.add({ ...connection.server, target: { kind: 'custom', description: 'another command' } }, always)

  expect(await promised(unattended(grants))).toEqual([false, 'refused'])
})

test('a promise ends when what was remembered expires or is taken back, also in another process', async () => {
  const grants = openGrants()
  const { id } = await grants.add(connection.server, always)
  const desk = unattended(grants)
  const session = desk.open(connection)
  await session.known
  const before = session.capabilities().sampling
  const news = new Promise<void>((resolve) => void session.on('capabilities-changed', resolve))
  await grants.revoke(id)
  await news

  expect([before, session.capabilities().sampling]).toEqual([true, false])
})

test.each(['legacy', 'modern'] as const)('a server of the %s era is told what was remembered, and a wrap when its session is opened', async (era) => {
  const grants = openGrants()
  const inMemory = { name: 'travel', named: true, target: { kind: 'custom', description: 'in memory' } } as const
  await grants.add(inMemory, always)
  const desk = unattended(grants)
  const { client, close, server } = await scripted.connectPair({
    desk,
    era,
    name: 'travel',
    server: { tools: { find: [scripted.modelQuestion('Which flight?')] } },
  })
  await client.callTool({ name: 'find' })
  await close()
  const socket = serve({ open: (origin) => desk.open(origin) })
  const remote = new RemoteDesk({ connect: () => call(socket) })
  const session = remote.open({ server: inMemory, connection: 'c2' })
  await session.opened
  const overSocket = session.capabilities()
  await remote.close()
  await socket.close()

  expect(JSON.stringify(server.received)).toContain('"sampling":{"tools":{}}')
  expect(server.answers).toMatchObject([{ answer: { result: { model: 'scripted' } } }])
  expect(overSocket).toMatchObject({ sampling: true, samplingTools: true })
})
