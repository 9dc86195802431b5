import fc from 'fast-check'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { scriptPrompts, type Typed } from '../../src/cli/terminal/scripted-prompts.ts'
import { attachTerminal } from '../../src/cli/terminal/terminal-surface.ts'
import { createLocalDesk } from '../../src/desk/index.ts'
import { matchPattern } from '../../src/elicitation/index.ts'
import { Inbox } from '../../src/inbox/index.ts'
import { describeDisk } from '../../src/paths/index.ts'
import { isJsonObject, type JsonObject } from '../../src/protocol/index.ts'
import { RootList } from '../../src/roots/index.ts'
import { createScriptedPerson, formQuestion, modelQuestion, rootsQuestion, urlQuestion, type ScriptedQuestion } from '../../src/testing/index.ts'
import { FakeClock } from '../fixtures/fake-session.ts'
import { answersOf, callsOf, eras, faultOf, nextReview, receivedOf, withDesk, withPerson, type Setting } from '../fixtures/setting.ts'

const who = formQuestion('Who?', { name: { type: 'string', default: 'nobody' } })
const visit = urlQuestion('Sign in', 'https://air.example/', 'e-1')
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** What the server was told that it may ask: in the handshake, or in its last call. */
function promised(setting: Setting): unknown {
  const [initialize] = receivedOf(setting, 'initialize')
  if (initialize) return (initialize['params'] as JsonObject)['capabilities']
  const meta = callsOf(setting).at(-1)?.['_meta']
  return isJsonObject(meta) ? meta[CAPABILITIES] : undefined
}

describe.each(eras)('in the %s era', (era) => {
  test('rule 1: what is promised is what somebody there can answer, and nothing else', async () => {
    const server = { tools: { echo: (): string => 'hello' } }
    const roots = era === 'legacy' ? { listChanged: true } : {}
    const nobody = await withPerson({ era, server, kinds: [], decide: [] })
    const forms = await withPerson({ era, server, kinds: ['form'], decide: [] })
    const all = await withPerson({ era, server, decide: [] })
    for (const setting of [nobody, forms, all]) await setting.call('echo')

    expect([nobody, forms, all].map(promised)).toEqual([
      { roots },
      { roots, elicitation: { form: {} } },
      { roots, elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
    ])
  })

  test('rule 1: what was not promised is refused unseen', async () => {
    const setting = await withPerson({ era, server: { tools: { ask: [visit] } }, kinds: ['form'], decide: [{ action: 'accept', content: {} }] })
    const { code } = await faultOf(setting.call('ask'))

    expect([setting.person.reviews, setting.audit.entries.map(({ event, outcome }) => outcome ?? event)]).toEqual([[], ['asked', 'refused']])
    if (era === 'legacy') expect(answersOf(setting)).toEqual([-32602])
    else expect(code).toBe('INPUT_REFUSED')
  })

  test('rule 2: however a question ends without a person, the server hears neither accept nor decline nor a refusal of theirs', async () => {
    const endings = ['nobody', 'leaves', 'timed-out', 'inbox closed', 'host closed', 'call cancelled', 'cancelled by hand'] as const
    const questions: readonly ScriptedQuestion[] = [who, visit, modelQuestion('Well?')]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endings), fc.constantFrom(...questions), async (ending, question) => {
        const inbox = new Inbox({ humanTimeoutMs: ending === 'timed-out' ? 5 : 60_000 })
        const { desk } = createLocalDesk({ inbox })
        const leave = inbox.attach({ name: 'a screen', kinds: ['form', 'url', 'prompt'] })
        const setting = await withDesk(desk, { era, server: { tools: { ask: [question] } }, reconnect: { attempts: 0 } })
        const caller = new AbortController()
        if (ending === 'nobody') leave()
        inbox.on('review-opened', ({ id }) => {
          if (ending === 'leaves') leave()
          if (ending === 'inbox closed') inbox.close()
          if (ending === 'host closed') void setting.host.close()
          if (ending === 'call cancelled') caller.abort()
          if (ending === 'cancelled by hand') void inbox.decide(id, { action: 'cancel' }, 'a screen')
        })
        await setting.call('ask', { signal: caller.signal }).catch(() => undefined)
        await setting.host.close()
        const by = ending === 'cancelled by hand' ? 'person' : 'none'

        for (const answer of answersOf(setting)) expect([{ action: 'cancel' }, -32603]).toContainEqual(answer)
        for (const { response } of setting.ends) if (response.outcome !== 'withdrawn') expect(response.by).toBe(by)
        inbox.close()
      }),
      { numRuns: 30 },
    )
  })

  test('rule 2: no value is made up, and none comes back that a person cleared', async () => {
    const form = formQuestion('Who?', { name: { type: 'string', default: 'nobody' }, note: { type: 'string' }, age: { type: 'integer' } })
    const setting = await withPerson({
      era,
      server: { tools: { ask: [form, form] } },
      decide: [
        { action: 'accept', content: { name: null, age: 7 } },
        { action: 'accept', content: {} },
      ],
    })
    await setting.call('ask')

    expect(answersOf(setting)).toEqual([
      { action: 'accept', content: { age: 7 } },
      { action: 'accept', content: { name: 'nobody' } },
    ])
  })

  test('rule 3: whatever words a server uses, on a terminal they are text under its name', async () => {
    const evil = '\u001b[2J\u001b[31mApproved\u0007 \u202egnp.exe\u2066 \u009b0m\r\nconsentry: \u200bsent <b>x</b>'
    const question = formQuestion(evil, { [`seat${evil}`]: { type: 'string', title: evil, description: evil, oneOf: [{ const: 'a', title: evil }] } })
    const { desk, inbox } = createLocalDesk()
    const typed: readonly Typed[] = ['answer', '0', 'send']
    const { prompts, shown } = scriptPrompts(typed)
    const detach = attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.reject(new Error('never')) })
    onTestFinished(detach)
    const setting = await withDesk(desk, { era, server: { tools: { [`ask${evil}`]: [question] } } })
    await setting.call(`ask${evil}`)

    expect(shown.join('\n')).toContain('Approved')
    expect(shown.join('\n')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(answersOf(setting)).toEqual([{ action: 'accept', content: { [`seat${evil}`]: 'a' } }])
  })

  test('rule 4: twenty minutes of thinking cost the call nothing, a minute of silence ends it', async () => {
    const clock = new FakeClock()
    const setting = await withPerson({
      era,
      clock,
      server: { tools: { ask: [who], sleep: () => new Promise<string>(() => undefined) } },
      decide: () => undefined,
    })
    const opened = nextReview(setting.inbox)
    const thoughtful = setting.call('ask')
    const { id } = await opened
    await clock.pass(20 * 60_000)
    await setting.inbox.decide(id, { action: 'accept', content: { name: 'Ada' } }, 'a screen')
    await thoughtful
    const silent = faultOf(setting.call('sleep'))
    await clock.pass(61_000)

    expect([answersOf(setting), await silent]).toMatchObject([[{ action: 'accept', content: { name: 'Ada' } }], { code: 'CALL_TIMED_OUT' }])
  })

  test('rule 4: reading never waits for a person: other calls, other questions and lists go on', async () => {
    const roots = new RootList({ disk: describeDisk({ dirs: ['/trip'] }, { platform: 'posix' }), configured: new Map([['travel', [{ path: '/trip' }]]]) })
    const setting = await withPerson({
      era,
      roots,
      server: { tools: { ask: [who], list: [rootsQuestion()], echo: () => 'hello' } },
      decide: () => undefined,
    })
    const opened = nextReview(setting.inbox)
    const thoughtful = setting.call('ask')
    await opened
    await setting.call('list')
    const [echo, tools] = await Promise.all([setting.call('echo'), setting.host.listTools('travel')])
    setting.person.leave()
    await thoughtful

    expect([echo, tools.map(({ name }) => name)]).toEqual([{ content: [{ type: 'text', text: 'hello' }] }, ['ask', 'list', 'echo']])
    expect(setting.ends.map(({ request }) => request.kind)).toEqual(['roots', 'elicitation'])
  })
})

test('rule 1: a modern server is promised anew with each call what can be answered then', async () => {
  const { desk, inbox } = createLocalDesk()
  const setting = await withDesk(desk, { era: 'modern', server: { tools: { echo: () => 'hello' } } })
  const promises: unknown[] = []
  await setting.call('echo')
  promises.push(promised(setting))
  const person = createScriptedPerson({ inbox, decide: [], kinds: ['form'] })
  await setting.call('echo')
  promises.push(promised(setting))
  person.leave()
  await setting.call('echo')
  promises.push(promised(setting))

  expect(promises).toEqual([{ roots: {} }, { roots: {}, elicitation: { form: {} } }, { roots: {} }])
})

test.each([true, false])(
  'rule 1: where nobody can be asked, --verbose (%s) says what is not offered; a server that cannot be reached fails for another reason',
  async (verbose) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const home = '/nonexistent/consentry-scenario'
    const code = await run(['call', 'anything', ...(verbose ? ['--verbose'] : []), '--', '/nonexistent/server'], {
      environment: { CONSENTRY_HOME: home, HOME: home },
      cwd: '/',
      platform: process.platform,
      interrupted: new AbortController().signal,
      stdin,
      stdout,
      stderr,
    })

    const sentence = 'forms, web pages and completions are not offered to server: nobody can be asked here (no terminal, no --answers FILE)'
    expect([code, String(stderr.read()).includes(sentence)]).toEqual([3, verbose])
  },
)

test('rule 4: a legacy server that asked for progress is told that its question still waits, and gets its answer', async () => {
  const clock = new FakeClock()
  const asking = { ...who, params: { ...who.params, _meta: { progressToken: 'patience' } } }
  const setting = await withPerson({ era: 'legacy', clock, server: { tools: { ask: [asking] } }, decide: () => undefined })
  const opened = nextReview(setting.inbox)
  const result = setting.call('ask')
  const { id } = await opened
  await clock.pass(60_000)
  await setting.inbox.decide(id, { action: 'decline' }, 'a screen')
  await result

  const progress = receivedOf(setting, 'notifications/progress').map(({ params }) => params as JsonObject)
  expect(progress.length).toBeGreaterThan(5)
  expect(progress.map(({ progressToken, progress: step }) => [progressToken, step])).toEqual(progress.map((_, index) => ['patience', index + 1]))
})
