import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalDesk } from '../../src/desk/index.ts'
import { Host } from '../../src/host/index.ts'
import type { JsonObject } from '../../src/protocol/index.ts'
import { createScriptedPerson, formQuestion, modelQuestion, rootsQuestion, type Script, type ScriptedQuestion } from '../../src/testing/index.ts'
import { answersOf, eras, withPerson } from '../fixtures/setting.ts'

const BURST = 500

/** Forms, folders and completions in turn, each with its number. */
function questionNumber(number: number): ScriptedQuestion {
  const kinds = [
    formQuestion(`Number ${number}?`, { number: { type: 'integer', default: number } }),
    modelQuestion(`Number ${number}?`),
    rootsQuestion(),
  ] as const
  return kinds[number % 3]!
}

const burst: Script = async ({ askAll }) => {
  const names = Array.from({ length: BURST }, (_, number): [string, ScriptedQuestion] => [`question ${number}`, questionNumber(number)])
  return JSON.stringify(await askAll(Object.fromEntries(names)))
}

describe.each(eras)('in the %s era', (era) => {
  test('500 questions in one burst are each answered once, with their own answer, and Node has nothing to warn of', async () => {
    const warnings: unknown[] = []
    const listen = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const setting = await withPerson({
      era,
      inbox: { perServer: { waiting: BURST, perMinute: BURST } },
      server: { tools: { burst } },
      decide: (review) => {
        if (review.kind === 'form') return { action: 'accept', content: {} }
        if (review.kind === 'folders') return { action: 'deny' }
        if (review.kind !== 'prompt') return undefined
        return { action: 'write', completion: { content: review.subject.request.messages[0]!.content, model: 'person' } }
      },
    })
    const { content } = (await setting.call('burst')) as { content: readonly { text: string }[] }
    const answers = JSON.parse(content[0]!.text) as Record<string, { result: JsonObject }>
    const expected = (number: number): unknown => [{ content: { number } }, { content: { type: 'text', text: `Number ${number}?` } }, { roots: [] }][number % 3]

    await new Promise(setImmediate)
    for (let number = 0; number < BURST; number += 1) expect(answers[`question ${number}`]?.result).toMatchObject(expected(number) as object)
    expect([setting.ends.length, setting.inbox.size, warnings]).toEqual([BURST, 0, []])
    expect(new Set(setting.audit.entries.filter(({ event }) => event === 'answered').map(({ question }) => question)).size).toBe(BURST)
  })

  test('a message of 12 MB is shown, and its answer is sent', async () => {
    const message = 'flights '.repeat((12 * 1024 * 1024) / 8)
    const setting = await withPerson({
      era,
      server: { tools: { ask: [formQuestion(message, { ok: { type: 'boolean' } })] } },
      decide: [{ action: 'accept', content: { ok: true } }],
    })
    await setting.call('ask')

    expect((setting.person.reviews[0] as { subject: { message: string } }).subject.message).toHaveLength(message.length)
    expect(answersOf(setting)).toEqual([{ action: 'accept', content: { ok: true } }])
    expect(JSON.stringify(setting.audit.entries).length).toBeLessThan(10_000)
  })
})

test('over a pipe: a burst of 500 and an answer of 12 MB, while a person is asked something else', async () => {
  const fixture = join(import.meta.dirname, '../fixtures/stdio-peer.mjs')
  const { desk, inbox } = createLocalDesk()
  let decide = (): void => undefined
  const decided = new Promise<void>((resolve) => (decide = resolve))
  createScriptedPerson({
    inbox,
    decide: async () => {
      await decided
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  const host = new Host({ desk, servers: [{ name: 'peer', command: process.execPath, args: [fixture] }] })
  onTestFinished(async () => {
    await host.close()
    await desk.close()
  })
  const textOf = async (call: Promise<JsonObject>): Promise<string> => ((await call) as { content: readonly { text: string }[] }).content[0]!.text
  const form = textOf(host.callTool({ server: 'peer', name: 'form' }))
  const answered = await textOf(host.callTool({ server: 'peer', name: 'burst', arguments: { count: BURST } }))
  const big = await textOf(host.callTool({ server: 'peer', name: 'big', arguments: { bytes: 12 * 1024 * 1024 } }))
  decide()

  expect([answered, big.length, await form]).toEqual([String(BURST), 12 * 1024 * 1024, '{"action":"accept","content":{"name":"Ada"}}'])
})
