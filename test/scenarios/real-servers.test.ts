import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOverHttp } from '../fixtures/everything-over-http.ts'
import { everything, filesystem, node, textIn, Workplace, type CallRun } from '../fixtures/program.ts'

const LONG = 120_000

const servers: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
  ['stdio', () => Promise.resolve(['--', node, everything, 'stdio'])],
  ['Streamable HTTP', startOverHttp],
]

describe.each(servers)('server-everything over %s', (_, start) => {
  test(
    'asks its form of thirteen fields, and gets what the script says with the defaults of the form',
    async () => {
      const place = new Workplace()
      const content = { name: 'Ada Lovelace', check: true, email: 'ada@example.com', titledMultipleSelectEnum: ['fish-1'] }
      const answers = place.answers({ when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content } })
      const { code, output } = await place.call(['trigger-elicitation-request', '--answers', answers, ...(await start())])
      const form = output.requests.filter(({ request }) => request === 'elicitation')

      expect([code, output.ok, output.protocol]).toEqual([0, true, '2025-11-25'])
      expect(form).toMatchObject([
        {
          mode: 'form',
          by: 'script',
          response: {
            action: 'accept',
            content: {
              ...content,
              integer: 42,
              number: 3.14,
              untitledSingleSelectEnum: 'Monica',
              untitledMultipleSelectEnum: ['Guitar'],
              titledSingleSelectEnum: 'hero-1',
            },
          },
        },
      ])
      expect(textIn(output)).toContain('Ada Lovelace')
    },
    LONG,
  )

  test(
    'hears decline and cancel apart, and cancel where the answer does not fit',
    async () => {
      const place = new Workplace()
      const target = await start()
      const run = async (then: object): Promise<readonly unknown[]> => {
        const answers = place.answers({ when: { request: 'elicitation' }, then })
        const { code, output } = await place.call(['trigger-elicitation-request', '--answers', answers, ...target])
        return [code, /declined|cancelled/.exec(textIn(output))?.[0]]
      }

      expect([
        await run({ action: 'decline' }),
        await run({ action: 'cancel' }),
        await run({ action: 'accept', content: { integer: 101, email: 'nobody' } }),
      ]).toEqual([
        [0, 'declined'],
        [0, 'cancelled'],
        [4, 'cancelled'],
      ])
    },
    LONG,
  )

  test(
    'gets its completion',
    async () => {
      const place = new Workplace()
      const answers = place.answers({ when: { request: 'sampling', message: '*Which flight*' }, then: { action: 'approve', text: 'Take the 10:05.' } })
      const args = ['--args', '{"prompt":"Which flight?","maxTokens":50}']
      const { code, output } = await place.call(['trigger-sampling-request', ...args, '--answers', answers, ...(await start())])

      expect([code, output.requests.filter(({ request }) => request === 'sampling')]).toMatchObject([0, [{ by: 'script', response: { model: 'scripted' } }]])
      expect(textIn(output)).toContain('Take the 10:05.')
    },
    LONG,
  )

  test(
    'gets consent to a visit, asked for as a request, and as the error that ends a call until it is visited',
    async () => {
      const place = new Workplace()
      const target = await start()
      const answers = place.answers({ when: { request: 'elicitation', mode: 'url' }, then: { action: 'accept' } })
      const visit = (more: object): Promise<CallRun> =>
        place.call([
          'trigger-url-elicitation',
          '--args',
          JSON.stringify({ url: 'https://air.example/login', message: 'Sign in', ...more }),
          '--answers',
          answers,
          ...target,
        ])
      const [asked, required] = [await visit({}), await visit({ errorPath: true })]
      const accepted = { request: 'elicitation', mode: 'url', by: 'script', response: { action: 'accept' } }

      expect([asked.code, required.code]).toEqual([0, 0])
      expect(asked.output.requests.filter(({ request }) => request === 'elicitation')).toEqual([accepted])
      expect(required.output.requests.filter(({ request }) => request === 'elicitation')).toEqual([accepted, accepted])
    },
    LONG,
  )

  test(
    'that is refused its visit ends the call with its own error',
    async () => {
      const place = new Workplace()
      const answers = place.answers({ when: { request: 'elicitation', mode: 'url' }, then: { action: 'decline' } })
      const args = ['--args', '{"url":"https://air.example/login","errorPath":true}']
      const { code, output } = await place.call(['trigger-url-elicitation', ...args, '--answers', answers, ...(await start())])

      expect([code, output.ok, output.error?.code]).toEqual([1, false, -32042])
    },
    LONG,
  )

  test(
    'is told the folders that were given, and no others',
    async () => {
      const place = new Workplace()
      place.write('trip plans/paris.md', '# Paris')
      const { code, output } = await place.call(['get-roots-list', '--root', 'trip plans', '--answers', place.answers(), ...(await start())])

      expect([code, output.requests]).toEqual([0, [{ request: 'roots', by: 'rule', response: { roots: [{ uri: `file://${place.folder}/trip%20plans` }] } }]])
      expect(textIn(output)).toContain('Current MCP Roots (1 total)')
    },
    LONG,
  )
})

describe('server-filesystem over stdio', () => {
  const started = (place: Workplace): readonly string[] => ['--', node, filesystem, join(place.folder, 'elsewhere')]

  test(
    'works in the folder that it is told, in place of the one that it was started with',
    async () => {
      const place = new Workplace()
      const [inside, outside] = [place.write('trip/paris.md', 'Day 1: the Louvre'), place.write('elsewhere/secret.md', 'not for you')]
      const read = (path: string): Promise<CallRun> => place.call(['read_text_file', '--args', JSON.stringify({ path }), '--root', 'trip', ...started(place)])
      const [allowed, denied] = [await read(inside), await read(outside)]

      expect([allowed.code, textIn(allowed.output)]).toEqual([0, 'Day 1: the Louvre'])
      expect([denied.code, denied.output.ok, denied.output.result?.isError]).toEqual([1, false, true])
      expect(textIn(denied.output)).toContain('Access denied')
    },
    LONG,
  )

  test(
    'is told by a script, relative to the script',
    async () => {
      const place = new Workplace()
      place.write('scripts/trip/paris.md', 'Day 1')
      place.write('elsewhere/secret.md', '')
      const answers = place.write('scripts/answers.jsonc', { answers: [{ when: { request: 'roots' }, then: { action: 'grant', roots: ['./trip'] } }] })
      const { code, output } = await place.call(['list_allowed_directories', '--root', 'elsewhere', '--answers', answers, ...started(place)])

      expect([code, output.requests]).toMatchObject([0, [{ by: 'script', response: { roots: [{ uri: `file://${place.folder}/scripts/trip` }] } }]])
      expect(textIn(output)).toContain(join(place.folder, 'scripts/trip'))
    },
    LONG,
  )
})
