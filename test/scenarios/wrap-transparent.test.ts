import { expect, test } from 'vitest'
import { everything, node, program, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

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
