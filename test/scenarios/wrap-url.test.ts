import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOverHttp } from '../fixtures/everything-over-http.ts'
import { Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, wordsOf, type ClientKind } from '../fixtures/wrapped.ts'

const LONG = 120_000

const script = [
  { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { name: 'Ada Lovelace', check: true } } },
  { when: { request: 'sampling', message: '*Which flight*' }, then: { action: 'approve', text: 'Take the 10:05.' } },
]

describe.each<ClientKind>(['SDK v1', 'SDK v2'])('a client over stdio (%s) that can be asked nothing, in front of a server at an address', (kind) => {
  test(
    'has every tool of server-everything, and each gets its answer',
    async () => {
      const place = new Workplace()
      mkdirSync(join(place.folder, 'trip'))
      const client = await connectThroughWrap(kind, place, ['--root', 'trip', '--answers', place.answers(...script), ...(await startOverHttp())])
      await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 20_000 }).toBe(17)
      const call = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> =>
        wordsOf(await client.callTool({ name, arguments: args }))

      expect(await call('echo', { message: 'é' })).toContain('é')
      expect(await call('trigger-elicitation-request')).toContain('Ada Lovelace')
      expect(await call('trigger-sampling-request', { prompt: 'Which flight?', maxTokens: 50 })).toContain('Take the 10:05.')
      expect(await call('get-roots-list')).toContain('trip')
    },
    LONG,
  )
})

test.each([
  ['a word that is no address', ['--url', 'notes'], 'no http or https address'],
  ['an address and a command', ['--url', 'http://127.0.0.1:1/', '--', 'node'], 'in front of one server'],
  ['two addresses', ['--url', 'http://127.0.0.1:1/', '--url', 'http://127.0.0.1:2/'], 'in front of one server'],
  ['a sandbox for an address', ['--url', 'http://127.0.0.1:1/', '--sandbox', 'roots'], '--sandbox is for servers that are started here'],
  ['a header that is none', ['--url', 'http://127.0.0.1:1/', '--header', 'secret'], "--header is 'Name: value'"],
  ['a variable that is not set', ['--url', 'http://127.0.0.1:1/', '--header', 'Authorization: Bearer ${NO_SUCH_TOKEN}'], 'NO_SUCH_TOKEN'],
  ['a header without an address', ['--header', 'a: b', '--', 'node'], '--header goes with --url'],
])('%s is refused', async (_, options, words) => {
  const { code, stdout, stderr } = await new Workplace().run(['wrap', '--no-desk', ...options])

  expect([code, stdout, stderr.includes(words), stderr.includes('Bearer')]).toEqual([2, '', true, false])
})
