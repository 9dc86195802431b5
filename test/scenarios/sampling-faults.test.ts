import { describe, expect, test } from 'vitest'
import { Policy, MemorySpending } from '../../src/policy/index.ts'
import type { Decision, Review, SamplingRequest } from '../../src/protocol/index.ts'
import { createModels, createScriptedProvider, type Models } from '../../src/sampling/index.ts'
import { modelQuestion } from '../../src/testing/index.ts'
import { status, startModelServer } from '../fixtures/model-server.ts'
import { answersOf, eras, faultOf, withPerson } from '../fixtures/setting.ts'

const KEY = 'sk-secret-0123456789abcdef'
const yes = ({ kind }: Review): Decision | undefined => (kind === 'prompt' || kind === 'completion' ? { action: 'approve' } : undefined)

interface Sage {
  readonly models: Models
  readonly asked: SamplingRequest[]
}

/** A model that can do everything, takes what it is asked for, and calls a tool where it is offered one. */
function openSage(modalities: readonly ('text' | 'image' | 'audio')[] = ['text', 'image']): Sage {
  const asked: SamplingRequest[] = []
  const provider = createScriptedProvider((request) => {
    asked.push(request)
    const [tool] = request.tools ?? []
    const usage = { input: 100, output: request.maxTokens }
    if (tool === undefined) return { content: [{ type: 'text', text: 'Done.' }], model: 'sage', stopReason: 'endTurn', usage }
    return { content: [{ type: 'tool_use', id: 'c1', name: tool.name, input: {} }], model: 'sage', stopReason: 'toolUse', usage }
  })
  return { asked, models: createModels({ entries: [{ provider: 'lab', model: 'sage', tools: true, modalities }], providers: new Map([['lab', provider]]) }) }
}

const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }

describe.each(eras)('in the %s era', (era) => {
  test('the very first request of a server spends nothing, runs nothing and says nothing that a person has not seen whole', async () => {
    const { models, asked } = openSage()
    const params = {
      systemPrompt: 'Be thorough.',
      maxTokens: 4000,
      tools: [{ name: 'delete_all', description: 'Deletes all', inputSchema: { type: 'object' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Tidy up' }, image] }],
    }
    const seen: unknown[] = []
    const setting = await withPerson({
      era,
      models,
      server: { tools: { tidy: [modelQuestion('Tidy up', params)] } },
      decide: (review) => (seen.push([review.kind, asked.length]), yes(review)),
    })
    await setting.call('tidy')

    expect(seen).toEqual([
      ['prompt', 0],
      ['completion', 1],
    ])
    const { tools, messages, maxTokens, systemPrompt } = params
    expect(setting.person.reviews[0]).toMatchObject({
      origin: { server: { name: 'travel' }, call: { name: 'tidy' } },
      subject: { request: { systemPrompt, messages, maxTokens, tools }, choice: { model: 'lab:sage' }, estimate: { outputTokens: 4000 } },
    })
    expect(answersOf(setting)).toMatchObject([{ content: [{ type: 'tool_use', name: 'delete_all' }], stopReason: 'toolUse' }])
  })

  test('media that no model takes is no question without media: a person is left, who is told which kind', async () => {
    const { models, asked } = openSage()
    const setting = await withPerson({
      era,
      models,
      server: { tools: { hear: [modelQuestion('', { messages: [{ role: 'user', content: [image, sound] }] })] } },
      decide: [{ action: 'write', completion: { content: [{ type: 'text', text: 'A bell.' }], model: 'x' } }],
    })
    await setting.call('hear')

    expect(setting.person.reviews[0]?.subject).toMatchObject({
      choice: { model: 'person', reasons: [{ key: 'no-model-audio' }] },
      models: [{ model: 'lab:sage', cannot: { key: 'model-without-audio' } }],
      request: { messages: [{ content: [image, sound] }] },
    })
    expect([asked, answersOf(setting)]).toMatchObject([[], [{ model: 'person' }]])
  })

  test('a model that is down is an error of ours, with its reason, and without its key', async () => {
    const { origin } = await startModelServer('openai-compatible', status(500, {}, JSON.stringify({ error: { message: `no ${KEY}` } })))
    const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: `${origin}/v1`, apiKey: KEY }], pauseMs: 1 })
    const setting = await withPerson({ era, models, server: { tools: { find: [modelQuestion('Which?')] } }, decide: yes })
    const { code, data } = await faultOf(setting.call('find'))

    if (era === 'legacy') expect(setting.server.answers).toMatchObject([{ answer: { error: { code: -32603, data: { reason: 'model-failed' } } } }])
    else expect([code, data?.['cause'], answersOf(setting)]).toEqual(['INPUT_REFUSED', 'MODEL_FAILED', []])
    expect(JSON.stringify([data, setting.server.answers, setting.audit.entries])).not.toContain(KEY)
  })

  test('a server that was always allowed loops: its rate, its day and its rounds hold, also when it comes again', async () => {
    const limits = { requestsPerMinute: 5, tokensPerDay: 10_000 }
    const rules = [{ server: 'travel', request: 'sampling', decision: 'allow', limits } as const]
    const spending = new MemorySpending()
    let now = new Date(2026, 10, 30, 12).getTime()
    const { models, asked } = openSage()
    const ask = async (maxTokens: number, times: number): Promise<readonly unknown[]> => {
      const policy = new Policy({ rules, spending, now: () => now })
      const setting = await withPerson({ era, models, policy, server: { tools: { loop: [modelQuestion('Again', { maxTokens })] } }, decide: [], kinds: [] })
      await Promise.all(Array.from({ length: times }, () => faultOf(setting.call('loop'))))
      return setting.ends.map(({ response }) => (response.outcome === 'refused' ? response.error.data?.['limit'] : response.outcome))
    }
    const first = await ask(1000, 4)
    const again = await ask(1000, 4)
    now += 60_000
    const last = await ask(9000, 1)

    const count = (ends: readonly unknown[], end: string): number => ends.filter((one) => one === end).length
    expect([count(first, 'answered'), count(again, 'answered'), count(again, 'requestsPerMinute')]).toEqual([4, 1, 3])
    // What is left after five answers of a thousand tokens and a hundred to read each.
    expect([last, asked.at(-1)?.maxTokens]).toEqual([['answered'], expect.any(Number)])
    expect(asked.at(-1)!.maxTokens).toBeLessThanOrEqual(10_000 - 5 * 1100)
  })
})
