import { InMemoryTransport } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTravelServers } from '../../demo/travel/travel.ts'
import { createLocalDesk, createScriptedDesk, parseAnswersFile } from '../../src/desk/index.ts'
import { Host } from '../../src/host/index.ts'
import { latestLegacyRevision, latestRevision, type Desk, type Era } from '../../src/protocol/index.ts'
import { createModels } from '../../src/sampling/index.ts'
import { createScriptedPerson, type Decide } from '../../src/testing/index.ts'
import { startModelServer, stream, type Reply } from '../fixtures/model-server.ts'
import { eras } from '../fixtures/setting.ts'

/** Asks the travel server of the protocol's documentation for the best of its 47 flights. */
async function findBestFlight(era: Era, desk: Desk, signal?: AbortSignal): Promise<string> {
  const [client, server] = InMemoryTransport.createLinkedPair()
  const served = serveStdio(createTravelServers(), { transport: server })
  const protocol = era === 'legacy' ? latestLegacyRevision : latestRevision
  const host = new Host({ desk, servers: [{ name: 'travel', protocol, transport: () => client }] })
  onTestFinished(async () => {
    await host.close()
    await desk.close()
    await served.close()
  })
  await host.connect()
  const { content } = await host.callTool({ server: 'travel', name: 'findBestFlight', signal })
  return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n')
}

const yes: Decide = ({ kind }) => (kind === 'prompt' || kind === 'completion' ? { action: 'approve' } : { action: 'cancel' })

describe.each(eras)('the best flight, in the %s era', (era) => {
  test('is found by a person', async () => {
    const { desk, inbox } = createLocalDesk()
    createScriptedPerson({ inbox, decide: [{ action: 'write', completion: { content: [{ type: 'text', text: 'The 10:45.' }], model: 'x' } }] })

    expect(await findBestFlight(era, desk)).toBe('The 10:45.\n\n(recommended by person, out of 47 flights)')
  })

  test('is found by a model on this computer, seen as it comes', async () => {
    const server = await startModelServer('openai-compatible', { text: ['Take ', 'the ', '10:45.'] })
    const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: `${server.origin}/v1`, local: true }] })
    const { desk, inbox } = createLocalDesk({ models })
    const person = createScriptedPerson({ inbox, decide: yes })
    const grown: string[] = []
    inbox.on('review-opened', (review) => {
      if (review.kind === 'completion')
        review.draft.subscribe(({ content, progress }) => grown.push(`${progress}: ${content[0]?.type === 'text' ? content[0].text : ''}`))
    })

    expect(await findBestFlight(era, desk)).toBe('Take the 10:45.\n\n(recommended by tiny-2026, out of 47 flights)')
    expect(person.reviews[0]?.subject).toMatchObject({
      choice: { model: 'lab:tiny', why: 'lab:tiny; no hint matched' },
      estimate: { outputTokens: 1500, cost: 0 },
    })
    expect(grown.at(-1)).toBe('finished: Take the 10:45.')
    expect(JSON.stringify(server.heard[0]?.body)).toContain('You are a travel expert')
  })

  test('is found by a script, and by a model that the script names', async () => {
    const server = await startModelServer('openai-compatible', { text: ['The 10:45.'] })
    const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: `${server.origin}/v1` }] })
    const open = (then: object): Desk =>
      createScriptedDesk({ models, answers: parseAnswersFile(JSON.stringify({ answers: [{ when: { request: 'sampling' }, then }] }), 'answers.jsonc') })

    expect([
      await findBestFlight(era, open({ action: 'approve', text: 'Any.' })),
      await findBestFlight(era, open({ action: 'approve', model: 'lab:tiny' })),
    ]).toEqual(['Any.\n\n(recommended by scripted, out of 47 flights)', 'The 10:45.\n\n(recommended by tiny-2026, out of 47 flights)'])
  })

  test.each<[string, Reply]>([
    ['is called off', stream({ text: ['one', 'two'] }, ({ go }) => (go(), go()))],
    ['is called off before the model has said anything', () => undefined],
  ])('%s: the model is let go, and its review goes', async (_, reply) => {
    const server = await startModelServer('openai-compatible', reply)
    const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: `${server.origin}/v1` }] })
    const { desk, inbox } = createLocalDesk({ models })
    createScriptedPerson({ inbox, decide: ({ kind }) => (kind === 'prompt' ? { action: 'approve' } : undefined) })
    const caller = new AbortController()
    inbox.on('review-opened', ({ kind }) => kind === 'completion' && setTimeout(() => caller.abort(), 50))

    await expect(findBestFlight(era, desk, caller.signal)).rejects.toThrow()
    await server.heard[0]?.left
    while (inbox.size > 0) await new Promise(setImmediate)
  })
})
