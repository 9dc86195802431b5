import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingServer, everything, node, program, Workplace } from '../fixtures/program.ts'
import { connectClient, RawClient, wordsOf, type ClientKind } from '../fixtures/wrapped.ts'

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: { readonly message?: string } }

/** What a client that can be asked everything answers, to server-everything. */
function answerOf({ method }: Message): object {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///trip', name: 'trip' }] }
  if (method === 'elicitation/create') return { action: 'accept', content: { name: 'Ada', check: true } }
  return { role: 'assistant', model: 'of-the-client', content: { type: 'text', text: 'Well.' } }
}

/** Drives every feature of server-everything, one step after the other. @returns every line that the client got; news may come a moment earlier or later */
async function talk(command: readonly string[]): Promise<readonly string[]> {
  const client = new RawClient(command, new Workplace())
  await client.shakeHands({ roots: { listChanged: true }, elicitation: { form: {}, url: {} }, sampling: { tools: {} } })
  let answered = 0
  const reply = (): void => {
    for (const line of client.lines.slice(answered)) {
      const message = JSON.parse(line) as Message
      answered += 1
      if (message.method !== undefined && message.id !== undefined) client.say({ id: message.id, result: answerOf(message) })
    }
  }
  const asked = (method: string): Promise<void> => client.until(() => client.lines.some((line) => line.includes(method)))
  // It asks for the folders of its own accord, and then offers one tool more.
  await asked('"roots/list"')
  reply()
  await asked('notifications/tools/list_changed')
  const calls: readonly (readonly [string, object])[] = [
    ['echo', { message: '\u00fc \u{1f600}' }],
    ['get-roots-list', {}],
    ['trigger-elicitation-request', {}],
    ['trigger-sampling-request', { prompt: 'Which flight?', maxTokens: 50 }],
    ['get-tiny-image', {}],
    ['no-such-tool', {}],
  ]
  client.say({ id: 0, method: 'tools/list' })
  await client.answerTo(0)
  for (const [index, [name, args]] of calls.entries()) {
    const id = index + 1
    client.say({ id, method: 'tools/call', params: { name, arguments: args } })
    const isAnswered = (): boolean => client.lines.some((line) => line.includes(`"id":${id}`) && !line.includes('"method"'))
    while (!isAnswered()) {
      const before = client.lines.length
      reply()
      await client.until(() => client.lines.length > before || isAnswered())
    }
  }
  client.child.stdin!.end()
  await client.ended
  return client.lines.toSorted()
}

test('a client that can be asked everything notices no difference: every line of server-everything is the same, byte for byte', async () => {
  const direct = await talk([node, everything, 'stdio'])

  expect(direct.filter((line) => /"(?:roots\/list|elicitation\/create|sampling\/createMessage)"/.test(line)).length).toBeGreaterThanOrEqual(3)
  expect(await talk([node, program, 'wrap', '--', node, everything, 'stdio'])).toEqual(direct)
}, 120_000)

const tee = join(import.meta.dirname, '../fixtures/tee.mjs')
const answers = {
  'roots/list': { roots: [{ uri: 'file:///trip', name: 'trip' }] },
  'elicitation/create': { action: 'accept', content: { name: 'Ada', check: true } },
  'sampling/createMessage': { role: 'assistant', model: 'of-the-client', content: { type: 'text', text: 'Well. \u{1f600}' } },
} as const
const visit = { url: 'https://air.example/login', message: 'Sign in' }

/** Each client, what it is wrapped before, and what it calls there, with a word of what its own answer comes to. */
const conversations: readonly (readonly [
  kind: ClientKind,
  server: readonly string[],
  calls: readonly (readonly [tool: string, args: object, words: string])[],
])[] = [
  ...(['SDK v1', 'SDK v2'] as const).map(
    (kind) =>
      [
        kind,
        [everything, 'stdio'],
        [
          ['echo', { message: '\u00fc \u{1f600}' }, '\u{1f600}'],
          ['get-roots-list', {}, 'file:///trip'],
          ['trigger-elicitation-request', {}, 'Ada'],
          ['trigger-url-elicitation', visit, 'accept'],
          ['trigger-sampling-request', { prompt: 'Which flight?', maxTokens: 50 }, 'of-the-client'],
        ],
      ] as const,
  ),
  [
    'SDK v2, 2026-07-28',
    [askingServer, 'modern'],
    [
      ['echo', { message: '\u00fc \u{1f600}' }, '\u{1f600}'],
      ['all', {}, 'of-the-client'],
      ['split', {}, 'Ada'],
    ],
  ],
]

test.each(conversations)(
  'every byte that a client (%s) with all of the features says reaches its server, and every byte of the server reaches the client',
  async (kind, server, calls) => {
    const place = new Workplace()
    const [outside, inside] = ['outside', 'inside'].map((name) => join(place.folder, name)) as [string, string]
    const client = await connectClient(kind, place, [node, tee, outside, node, program, 'wrap', '--', node, tee, inside, node, ...server], answers)
    const results: string[] = []
    for (const [name, args] of calls) results.push(wordsOf(await client.callTool({ name, arguments: { ...args } })))
    // What was said last may still be on its way.
    const passed = (): readonly string[] => ['inside.in', 'outside.out'].map((name) => place.read(name))
    const said = (): readonly string[] => ['outside.in', 'inside.out'].map((name) => place.read(name))
    await expect.poll(() => passed().join() === said().join(), { timeout: 20_000 }).toBe(true)

    expect(results).toEqual(calls.map(([, , words]) => expect.stringContaining(words)))
    // Nothing of ours was opened, and nothing was written.
    expect(place.state()).toEqual([])
  },
  120_000,
)
