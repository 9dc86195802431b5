import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formQuestion } from '../../src/testing/index.ts'
import { standingRule } from '../fixtures/standing-rule.ts'
import { askingServer, node, textIn, Workplace, type Run } from '../fixtures/program.ts'

const LONG = 120_000
const eras = ['legacy', 'modern'] as const
const server = (era: string = 'both'): readonly string[] => ['--', node, askingServer, era]

function linesOf({ stdout }: Run): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const everyAnswer = [
  { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { name: 'Ada' } } },
  { when: { request: 'elicitation' }, then: { action: 'decline' } },
  { when: { request: 'sampling' }, then: { action: 'approve', text: 'The 10:05.' } },
]

describe.each(eras)('in the %s era', (era) => {
  test(
    'one call asks for everything, and says what became of each question',
    async () => {
      const place = new Workplace()
      mkdirSync(join(place.folder, 'trip'))
      const answers = place.answers(...everyAnswer)
      const { code, output, stderr } = await place.call(['all', '--root', 'trip', '--answers', answers, ...server(era)])

      expect([code, output.ok, output.protocol, stderr]).toEqual([0, true, era === 'legacy' ? '2025-11-25' : '2026-07-28', ''])
      expect(output.requests).toEqual([
        { request: 'roots', by: 'rule', response: { roots: [{ uri: `file://${place.folder}/trip` }] } },
        { request: 'elicitation', mode: 'form', by: 'script', response: { action: 'accept', content: { name: 'Ada', age: 7 } } },
        { request: 'elicitation', mode: 'url', by: 'script', response: { action: 'decline' } },
        {
          request: 'sampling',
          by: 'script',
          response: { role: 'assistant', content: { type: 'text', text: 'The 10:05.' }, model: 'scripted', stopReason: 'endTurn' },
        },
      ])
    },
    LONG,
  )

  test(
    'a config that is broken while a call runs suspends the rules: the next question is nobody’s, and the call goes on',
    async () => {
      const place = new Workplace()
      const who = formQuestion('Who are you?', { name: { type: 'string', minLength: 2 }, age: { type: 'integer', default: 7 } }, ['name'])
      place.config({ rules: [standingRule('asking', who.params, { name: 'Ada' })] })
      const go = join(place.folder, 'go')
      let heard = ''
      const run = place.call(['twice', '--name', 'asking', '--args', JSON.stringify({ file: go }), ...server(era)], {
        onStderr: (text) => {
          heard += text
          if (heard.includes('rules are suspended')) place.write('go', '')
        },
      })
      // Broken only when the first question has its answer: before that the config would be refused as a whole.
      await expect.poll(() => place.has('state/consentry.db'), { timeout: 20_000 }).toBe(true)
      await expect.poll(async () => linesOf(await place.run(['audit', 'export'])).some(({ event }) => event === 'answered'), { timeout: 20_000 }).toBe(true)
      place.config('{ "rules": [')
      const { code, output, stderr } = await run

      expect(stderr).toContain('config.jsonc:1:')
      expect([code, output.requests]).toMatchObject(
        era === 'legacy'
          ? [
              4,
              [
                { by: 'rule', response: { content: { name: 'Ada' } } },
                { by: 'none', response: { action: 'cancel' } },
              ],
            ]
          : [4, [{ by: 'rule', response: { content: { name: 'Ada' } } }, { by: 'none' }]],
      )
    },
    LONG,
  )

  test(
    'a run that was recorded is replayed, with its secret from the environment and nowhere else',
    async () => {
      const place = new Workplace()
      const content = { user: 'ada', apiKey: 'correct-horse-battery' }
      const answers = place.answers({ when: { request: 'elicitation' }, then: { action: 'accept', content } })
      const first = await place.call(['login', '--answers', answers, '--record', 'recorded.jsonc', ...server(era)])
      const replayed = await place.call(['login', '--answers', 'recorded.jsonc', ...server(era)], { environment: { API_KEY: 'correct-horse-battery' } })
      const without = await place.call(['login', '--answers', 'recorded.jsonc', ...server(era)])
      const log = await place.run(['audit', 'export'])

      expect([first.code, replayed.code, replayed.output.requests]).toEqual([0, 0, first.output.requests])
      expect([without.code, without.output.requests[0]?.response]).toEqual([4, { action: 'cancel' }])
      expect(place.read('recorded.jsonc')).toContain('"apiKey": "${API_KEY}"')
      expect([place.read('recorded.jsonc'), log.stdout].join('\n')).not.toContain('correct-horse-battery')
      expect((statSync(join(place.folder, 'recorded.jsonc')).mode & 0o777).toString(8)).toBe('600')
    },
    LONG,
  )
})

test(
  'several processes write one log: nothing is lost, the chain holds, and everything is for the user alone',
  async () => {
    const place = new Workplace()
    const answers = place.answers(...everyAnswer)
    const runs = await Promise.all([1, 2, 3, 4].map(() => place.call(['all', '--answers', answers, ...server()])))
    const [verified, listed] = [await place.run(['audit', 'verify']), linesOf(await place.run(['audit', 'export']))]
    const byQuestion = new Map<unknown, readonly unknown[]>()
    for (const { question, event } of listed) byQuestion.set(question, [...(byQuestion.get(question) ?? []), event])

    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect([verified.code, byQuestion.size]).toEqual([0, 16])
    expect([...byQuestion.values()]).toEqual(Array.from({ length: 16 }, () => ['asked', 'answered']))
    expect(listed.filter(({ event }) => event === 'answered').map(({ by }) => by)).toEqual(
      Array.from({ length: 16 }, () => expect.stringMatching(/^(script|none)$/)),
    )
    expect(place.state().map((entry) => entry.split(' ')[0])).toEqual(place.state().map((entry) => (entry === '700' ? '700' : '600')))
  },
  LONG,
)

test(
  'a log that cannot be written answers nothing, says so, and leaves everything as it was',
  async () => {
    const place = new Workplace()
    place.write('state/consentry.db', 'no database at all, but something of the user’s own. '.repeat(100))
    const answers = place.answers(...everyAnswer)
    const asked = await place.call(['who', '--answers', answers, ...server('legacy')])
    const calm = await place.call(['echo', '--args', '{"a":1}', ...server()])

    expect([asked.code, asked.output.requests]).toEqual([4, [{ request: 'elicitation', mode: 'form', by: 'none', response: { action: 'cancel' } }]])
    expect([calm.code, textIn(calm.output)]).toEqual([0, '{"a":1}'])
    expect(place.read('state/consentry.db')).toContain('something of the user’s own')
  },
  LONG,
)

test.each(['a file', 'a place below a file'])(
  'with %s for a state folder nothing hangs, and the message says what to set',
  async (kind) => {
    const place = new Workplace()
    const file = place.write('taken', '')
    const environment = { CONSENTRY_HOME: kind === 'a file' ? file : join(file, 'state') }
    const runs = await Promise.all(
      [
        ['audit', 'list'],
        ['roots', 'add', 'trip'],
        ['call', 'who', ...server()],
      ].map((args) => place.run(args, { environment })),
    )

    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([1, 2, 3].map(() => [2, '']))
    expect(runs.every(({ stderr }) => /CONSENTRY_HOME|state folder|cannot be read|cannot be written/.test(stderr))).toBe(true)
  },
  LONG,
)

test(
  'a state folder that takes no files leaves a question unanswered, and says why',
  async () => {
    const place = new Workplace()
    mkdirSync(place.home, { mode: 0o500 })
    const { code, stderr } = await place.call(['who', '--answers', place.answers(...everyAnswer), ...server('legacy')], { isBound: true })

    expect([code, stderr]).toEqual([4, expect.stringContaining('the audit log cannot be written')])
    expect(place.state()).toEqual(['500'])
  },
  LONG,
)

test(
  'a config that its user may not read is no empty config: nothing is started, and it stays as it was',
  async () => {
    const place = new Workplace()
    place.write('state/config.jsonc', '{ "alwaysAsk": true }')
    chmodSync(place.home, 0o700)
    chmodSync(join(place.home, 'config.jsonc'), 0o000)
    mkdirSync(join(place.folder, 'trip'))
    const commands = [
      ['call', 'who', ...server()],
      ['wrap', ...server()],
      ['roots', 'list'],
      ['roots', 'add', 'trip'],
    ]
    const runs = await Promise.all(commands.map((args) => place.run(args, { isBound: true })))
    chmodSync(join(place.home, 'config.jsonc'), 0o600)

    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(commands.map(() => [2, '']))
    expect(runs.map(({ stderr }) => /config\.jsonc cannot be (read|written)/.test(stderr))).toEqual(commands.map(() => true))
    expect(place.read('state/config.jsonc')).toBe('{ "alwaysAsk": true }')
  },
  LONG,
)

test.each([
  ['below a file', 'file/state'],
  ['below a folder that takes nothing', 'closed/deep/state'],
])(
  'a log in a state folder that cannot be made, %s, is not called empty',
  async (_, home) => {
    const place = new Workplace()
    place.write('file', '')
    mkdirSync(join(place.folder, 'closed'), { mode: 0o555 })
    const commands = [['list'], ['list', '--json'], ['export'], ['verify']]
    const environment = { CONSENTRY_HOME: join(place.folder, home) }
    const runs = await Promise.all(commands.map((args) => place.run(['audit', ...args], { environment, isBound: true })))

    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(commands.map(() => [2, '']))
    expect(runs.map(({ stderr }) => stderr)).toEqual(commands.map(() => expect.stringContaining('the state cannot be read') as unknown))
  },
  LONG,
)
