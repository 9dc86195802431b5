import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askingServer, everything, filesystem, node, Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, wordsOf, type ClientKind } from '../fixtures/wrapped.ts'

const LONG = 120_000

const script = [
  { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { name: 'Ada Lovelace', check: true } } },
  { when: { request: 'elicitation', mode: 'url' }, then: { action: 'accept' } },
  { when: { request: 'sampling', message: '*Which flight*' }, then: { action: 'approve', text: 'Take the 10:05.' } },
]

describe.each<ClientKind>(['SDK v1', 'SDK v2'])('a client (%s) that can be asked nothing, through wrap', (kind) => {
  test(
    'has every tool of server-everything, and each gets its answer',
    async () => {
      const place = new Workplace()
      mkdirSync(join(place.folder, 'trip'))
      const client = await connectThroughWrap(kind, place, ['--root', 'trip', '--answers', place.answers(...script), '--', node, everything, 'stdio'])
      await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 20_000 }).toBe(17)
      const call = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> =>
        wordsOf(await client.callTool({ name, arguments: args }))
      const visit = { url: 'https://air.example/login', message: 'Sign in' }

      expect(await call('echo', { message: 'é' })).toContain('é')
      expect(await call('trigger-elicitation-request')).toContain('Ada Lovelace')
      expect(await call('trigger-sampling-request', { prompt: 'Which flight?', maxTokens: 50 })).toContain('Take the 10:05.')
      expect(await call('get-roots-list')).toContain('trip')
      expect(await call('trigger-url-elicitation', visit)).toContain('accept')
    },
    LONG,
  )

  test(
    'tells server-filesystem its folders, and that they have changed',
    async () => {
      const place = new Workplace()
      for (const name of ['trip', 'other', 'own']) mkdirSync(join(place.folder, name))
      const client = await connectThroughWrap(kind, place, ['--name', 'files', '--root', 'trip', '--', node, filesystem, join(place.folder, 'own')])
      const shown = async (): Promise<string> => wordsOf(await client.callTool({ name: 'list_allowed_directories' }))
      await expect.poll(shown, { timeout: 20_000 }).toContain(join(place.folder, 'trip'))

      expect((await place.run(['roots', 'add', join(place.folder, 'other'), '--server', 'files', '--yes'])).code).toBe(0)
      await expect.poll(shown, { timeout: 20_000 }).toContain(join(place.folder, 'other'))
      expect(await shown()).not.toContain(join(place.folder, 'own'))
    },
    LONG,
  )
})

test(
  'a client of 2026-07-28 that can be asked nothing gets the final result only, whatever the server asks on the way',
  async () => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'trip'))
    const answers = place.answers(
      { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { name: 'Ada' } } },
      { when: { request: 'elicitation' }, then: { action: 'decline' } },
      { when: { request: 'sampling' }, then: { action: 'approve', text: 'Well.' } },
    )
    const client = await connectThroughWrap('SDK v2, 2026-07-28', place, ['--root', 'trip', '--answers', answers, '--', node, askingServer, 'modern'])
    const result = wordsOf(await client.callTool({ name: 'all', arguments: { a: 1 } }))

    for (const part of ['trip', '"name":"Ada"', '"age":7', 'decline', 'Well.']) expect(result).toContain(part)
  },
  LONG,
)

test(
  'fifty calls at once that each ask something: no answer reaches another call',
  async () => {
    const place = new Workplace()
    const entries = Array.from({ length: 50 }, (_, n) => ({
      when: { request: 'sampling', message: `*question ${n}!*` },
      then: { action: 'approve', text: `answer ${n}` },
    }))
    const client = await connectThroughWrap('SDK v2', place, ['--answers', place.answers(...entries), '--', node, everything, 'stdio'])
    await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 20_000 }).toBe(17)
    const results = await Promise.all(
      entries.map((_, n) => client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: `question ${n}!`, maxTokens: 10 } })),
    )

    expect(results.map((result) => /answer \d+/.exec(wordsOf(result))?.[0])).toEqual(entries.map((_, n) => `answer ${n}`))
  },
  LONG,
)
