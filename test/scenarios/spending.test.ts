import { expect, test } from 'vitest'
import { startModelServer } from '../fixtures/model-server.ts'
import { everything, node, program, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

interface UsageRow {
  readonly requests: number
  readonly tokens: number
  readonly outputTokens: number
  readonly unpriced: number
}

const question = ['trigger-sampling-request', '--args', '{"prompt":"Which flight?","maxTokens":100}', '--name', 'everything', '--json']
const server = ['--', node, everything, 'stdio']

async function usage(place: Workplace): Promise<readonly UsageRow[]> {
  return JSON.parse((await place.run(['usage', '--json'])).stdout) as UsageRow[]
}

function configure(place: Workplace, origin: string, tokensPerDay: number): void {
  place.config({
    models: [{ provider: 'lab', model: 'tiny', baseUrl: `${origin}/v1` }],
    rules: [{ server: 'everything', request: 'sampling', decision: 'allow', limits: { tokensPerDay } }],
  })
}

test('a program that is killed while a model answers leaves what it had reserved booked, once, and the next run goes on from there', async () => {
  const place = new Workplace()
  let isAsked = (): void => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const { origin, heard } = await startModelServer('openai-compatible', () => isAsked(), { text: ['The 10:05.'], usage: { input: 12, output: 3 } })
  configure(place, origin, 1000)
  const killed = new RawClient([node, program, 'call', ...question, ...server], place)
  await asked
  killed.child.kill('SIGKILL')
  await killed.ended
  const [booked, ...more] = await usage(place)
  const next = await place.run(['call', ...question, ...server])
  const [after] = await usage(place)
  configure(place, origin, after!.tokens + 50)
  const refused = await place.run(['call', ...question, ...server])

  expect([booked!.requests, booked!.tokens > 100, booked!.outputTokens, more]).toEqual([1, true, 0, []])
  expect([next.code, after]).toMatchObject([0, { requests: 2, tokens: booked!.tokens + 15, outputTokens: 3 }])
  expect([refused.stdout.includes('limit-reached') || refused.stdout.includes('LIMIT_REACHED'), heard.length]).toEqual([true, 2])
}, 120_000)

test('two programs that race for the last of a budget do not spend it twice', async () => {
  const place = new Workplace()
  const { origin, heard } = await startModelServer('openai-compatible', { text: ['The 10:05.'], usage: { input: 12, output: 100 } })
  configure(place, origin, 150)
  const runs = await Promise.all([1, 2].map(() => place.run(['call', ...question, ...server])))
  const [row] = await usage(place)

  expect([runs.filter(({ stdout }) => stdout.includes('The 10:05.')).length, heard.length, row!.tokens]).toEqual([1, 1, 112])
}, 120_000)
