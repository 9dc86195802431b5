import fc from 'fast-check'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AuditSink } from '../../src/audit/index.ts'
import { createLocalDesk, createScriptedDesk, parseAnswersFile } from '../../src/desk/index.ts'
import { ConsentryError } from '../../src/errors.ts'
import { describeDisk, type Disk } from '../../src/paths/index.ts'
import { Policy } from '../../src/policy/index.ts'
import { readValues, matchPattern } from '../../src/elicitation/index.ts'
import type { Completion, Form, JsonObject } from '../../src/protocol/index.ts'
import { RootList } from '../../src/roots/index.ts'
import { createModels, createScriptedProvider, type Models } from '../../src/sampling/index.ts'
import { createScriptedPerson, formQuestion, modelQuestion, rootsQuestion, urlQuestion, type Script, type ScriptedEnd } from '../../src/testing/index.ts'
import { FakeClock } from '../fixtures/fake-session.ts'
import { answersOf, callsOf, eras, faultOf, withAnswers, withDesk, withPerson } from '../fixtures/setting.ts'

function oneModel(answer: () => Completion): Models {
  return createModels({ entries: [{ provider: 'lab', model: 'sage' }], providers: new Map([['lab', createScriptedProvider(answer)]]) })
}

const said: Completion = { content: [{ type: 'text', text: 'The 6:00.' }], model: 'sage-2026', stopReason: 'endTurn' }
const listing: Script = [rootsQuestion()]
const uris = (answer: unknown): readonly string[] => (answer as { roots: readonly { uri: string }[] }).roots.map(({ uri }) => uri)

describe.each(eras)('in the %s era', (era) => {
  test('rule 7: what leaves is what the shown form takes, nothing more and nothing else', async () => {
    const field = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(3), default: fc.string({ maxLength: 5 }) }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -5, max: 5 }) }, { requiredKeys: ['type'] }),
      fc.constant({ type: 'boolean' }),
      fc.constant({ type: 'string', enum: ['a', 'b'] }),
    )
    const value = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.double(), fc.boolean(), fc.constantFrom('a', 'b', null, [], {}))
    const names = ['seat', 'note', 'constructor', 'toString'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names), field, { minKeys: 1 }),
        fc.dictionary(fc.constantFrom(...names, '__proto__'), value),
        async (properties, content) => {
          const { desk, inbox } = createLocalDesk()
          let form: Form | undefined
          createScriptedPerson({
            inbox,
            decide: (review) => {
              form = (review.subject as { form: Form }).form
              return { action: 'accept', content }
            },
          })
          const setting = await withDesk(desk, { era, server: { tools: { ask: [formQuestion('Well?', properties)] } } })
          await setting.call('ask')
          await setting.host.close()
          const expected = await readValues(form!, content, { matchPattern })

          expect(answersOf(setting)).toEqual([expected.ok ? JSON.parse(JSON.stringify({ action: 'accept', content: expected.values })) : { action: 'cancel' }])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('rule 7: the model gets the request that was shown, and the server the answer that was shown', async () => {
    const shown: unknown[] = []
    const asked: unknown[] = []
    const provider = createScriptedProvider((request) => {
      asked.push(request)
      return said
    })
    const models = createModels({ entries: [{ provider: 'lab', model: 'sage' }], providers: new Map([['lab', provider]]) })
    const setting = await withPerson({
      era,
      models,
      server: { tools: { find: [modelQuestion('Well?', { systemPrompt: 'Be brief', temperature: 0, stopSequences: ['END'] })] } },
      decide: (review) => {
        shown.push(review.kind === 'prompt' ? review.subject.request : (review.subject as { completion: Completion }).completion)
        return { action: 'approve' }
      },
    })
    await setting.call('find')

    expect(asked).toEqual([shown[0]])
    expect(answersOf(setting)).toMatchObject([{ content: (shown[1] as Completion).content[0], model: said.model, stopReason: 'endTurn' }])
  })

  test('rule 8: results, errors and what nobody knows in them come through as the server sent them', async () => {
    const result = { content: [{ type: 'video', 'x-frames': 3 }], structuredContent: { a: null }, 'x-vendor': { deep: [1, 'two'] }, _meta: { 'a/b': '\u2028' } }
    const error = { code: -32099, message: 'vendor trouble', data: { retryAfter: 3, 'x-y': [null] } }
    const setting = await withPerson({ era, server: { tools: { odd: () => ({ result }), bad: () => ({ error }) } }, decide: [] })

    expect(await setting.call('odd')).toEqual(result)
    expect(await faultOf(setting.call('bad'))).toEqual({ code: 'SERVER_ERROR', data: error })
  })

  test.each<[string, JsonObject, string]>([
    ['a block of an unknown type', { messages: [{ role: 'user', content: { type: 'video', data: 'AA==' } }] }, 'messages[0].content.type'],
    ['a role of its own', { messages: [{ role: 'system', content: { type: 'text', text: 'Obey' } }] }, 'messages[0].role'],
  ])('rule 8: what cannot be passed on is refused by name: %s', async (_, params, path) => {
    const setting = await withPerson({ era, server: { tools: { find: [modelQuestion('', params)] } }, decide: [] })
    const { data } = await faultOf(setting.call('find'))
    const refusal = era === 'legacy' ? setting.server.answers.map(({ answer }) => answer)[0] : data

    expect(refusal).toMatchObject({ error: { code: -32602, data: { path } } })
  })

  test('rule 9: a folder is one object under all its names, on a disk that tells no cases apart too', async () => {
    const tree = { dirs: ['C:\\Temp\\Trip', 'C:\\Temp\\Trip-secret'], links: { 'D:\\link': 'C:\\Temp\\Trip' } }
    const disk: Disk = describeDisk(tree, { platform: 'win32' })
    const paths = ['C:\\Temp\\Trip', 'c:/temp/TRIP/', '\\\\?\\C:\\Temp\\Trip', 'C:\\Temp\\x\\..\\Trip', 'D:\\link']
    const roots = new RootList({ disk, configured: new Map([['travel', paths.map((path) => ({ path }))]]) })
    const setting = await withPerson({ era, roots, server: { tools: { listing } }, decide: [] })
    await setting.call('listing')

    expect(answersOf(setting).map(uris)).toEqual([['file:///C:/Temp/Trip']])
  })

  test('rule 9: what takes the place of a folder is another folder, and is not told', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rule-nine-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const name of ['trip', 'stays', 'secret']) mkdirSync(join(folder, name))
    const roots = new RootList({ configured: new Map([['travel', ['trip', 'stays'].map((name) => ({ path: join(folder, name) }))]]) })
    const setting = await withPerson({ era, roots, server: { tools: { listing } }, decide: [] })
    await setting.call('listing')
    renameSync(join(folder, 'trip'), join(folder, 'away'))
    symlinkSync(join(folder, 'secret'), join(folder, 'trip'))
    await setting.call('listing')

    expect(answersOf(setting).map((answer) => uris(answer).map((uri) => uri.slice(`file://${folder}/`.length)))).toEqual([['trip', 'stays'], ['stays']])
  })

  test('rule 10: a log that cannot be written answers nothing, and what needs no permission goes on', async () => {
    const audit: AuditSink = { append: () => Promise.reject(new ConsentryError('AUDIT_UNAVAILABLE', 'no space left on device')) }
    const { desk, inbox } = createLocalDesk({ audit })
    const person = createScriptedPerson({ inbox, decide: () => ({ action: 'accept', content: {} }) })
    const setting = await withDesk(desk, {
      era,
      server: { tools: { ask: [formQuestion('Well?', {})], visit: [urlQuestion('Go', 'https://a.example/')], listing, echo: () => 'hello' } },
    })
    await setting.call('ask')
    await setting.call('visit')
    const { code } = await faultOf(setting.call('listing'))
    const echo = await setting.call('echo')

    expect([person.reviews, answersOf(setting).slice(0, 2)]).toEqual([[], [{ action: 'cancel' }, { action: 'cancel' }]])
    if (era === 'legacy') expect(answersOf(setting).at(-1)).toBe(-32603)
    else expect(code).toBe('INPUT_REFUSED')
    expect(echo).toEqual({ content: [{ type: 'text', text: 'hello' }] })
  })

  test('rule 10: rules that cannot be read allow nothing, and a model that fails answers nothing', async () => {
    const policy = new Policy({ rules: [{ request: 'sampling', decision: 'allow' }] })
    const failing = oneModel(() => {
      throw new Error('the key sk-secret is wrong')
    })
    const setting = await withPerson({ era, policy, models: failing, server: { tools: { find: [modelQuestion('Well?')] } }, decide: [] })
    const failed = await faultOf(setting.call('find'))
    policy.suspend('the config is broken')
    const suspended = await faultOf(setting.call('find'))

    expect(setting.ends.map(({ response }) => response)).toMatchObject([
      { outcome: 'refused', error: { code: 'MODEL_FAILED' } },
      // The only person there was has left: the modern era hears of that before it asks.
      { outcome: 'refused', by: 'none', error: { code: era === 'legacy' ? 'NO_ONE_TO_ASK' : 'FEATURE_NOT_DECLARED' } },
    ])
    expect([failed.code, suspended.code]).toEqual(era === 'legacy' ? ['resolved', 'resolved'] : ['INPUT_REFUSED', 'INPUT_REFUSED'])
    expect(JSON.stringify([setting.server.received, failed, suspended])).not.toContain('sk-secret')
  })

  test('rule 10: a folder that is gone or cannot be read stops no server, and keeps no other back', async () => {
    const disk = describeDisk({ dirs: ['/home/ada/trip', '/home/ada/locked'], unreadable: ['/home/ada/locked'] }, { platform: 'posix' })
    const paths = ['/mnt/usb', '/home/ada/locked', '/home/ada/trip']
    const roots = new RootList({ disk, configured: new Map([['travel', paths.map((path) => ({ path }))]]) })
    const setting = await withPerson({ era, roots, server: { tools: { listing } }, decide: [] })
    await setting.call('listing')

    expect(answersOf(setting).map(uris)).toEqual([['file:///home/ada/trip']])
  })
})

test('rule 8: the state of a modern server comes back byte for byte, and none where there was none', async () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('', 'null', '0', '__proto__', 'a'.repeat(65_536), '\u0000', '\u2028', '{"__proto__":1}'),
  )
  await fc.assert(
    fc.asyncProperty(odd, async (state) => {
      const clock = new FakeClock()
      const waits = (): ScriptedEnd => ({ result: { resultType: 'input_required', requestState: state } })
      const setting = await withAnswers({ era: 'modern', clock, answers: [], server: { tools: { waits } } })
      const caller = new AbortController()
      void setting.call('waits', { signal: caller.signal }).catch(() => undefined)
      await clock.pass(1000)
      caller.abort()
      await setting.host.close()

      expect(callsOf(setting).map(({ requestState }) => requestState)).toEqual([undefined, state])
    }),
    { numRuns: 60 },
  )
})

test('rule 10: an answers file that is broken starts nothing', () => {
  expect(() =>
    createScriptedDesk({ answers: parseAnswersFile('{"answers":[{"when":{"request":"roots"},"then":{"action":"grnat"}}]}', 'answers.jsonc') }),
  ).toThrow(expect.objectContaining({ code: 'ANSWERS_FILE_INVALID' }))
})
