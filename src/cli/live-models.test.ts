import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../../test/fixtures/model-server.ts'
import type { DeskSession, InputRequest, InputResponse, ServerIdentity } from '../protocol/index.ts'
import { openConfig } from './open-config.ts'
import { openDesk, type OpenDesk } from './open-desk.ts'
import type { Place } from './place.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const rules = [{ server: 'travel', request: 'sampling', decision: 'allow' }]
const question: InputRequest = {
  kind: 'sampling',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Which flight?' } }], maxTokens: 50 },
  revision: '2025-11-25',
}

interface WrittenConfig {
  readonly rules: readonly object[]
  readonly models?: readonly object[]
}

interface Running {
  readonly opened: OpenDesk
  readonly session: DeskSession
  readonly notices: readonly string[]
  /** Writes another config, and resolves when it holds. */
  readonly write: (config: WrittenConfig) => Promise<void>
  readonly ask: () => Promise<InputResponse>
}

/** A desk that nobody looks at, whose config is edited while it runs. */
async function run(config: WrittenConfig): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'live-models-'))
  const file = join(home, 'config.jsonc')
  writeFileSync(file, JSON.stringify(config))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { CONSENTRY_HOME: home, HOME: home }
  const place: Place = { environment, cwd: home, platform: process.platform, interrupted: new AbortController().signal, stdin, stdout, stderr }
  const followed = await openConfig(place)
  const notices: string[] = []
  const opened = await openDesk({ config: followed, roots: [], notice: (sentence) => notices.push(sentence) }, place)
  const session = opened.desk.open({ server: travel, connection: '1' })
  onTestFinished(async () => {
    await opened.close()
    followed.close()
    rmSync(home, { recursive: true })
  })
  return {
    opened,
    session,
    notices,
    async write(next) {
      // Rules hold at once; models a moment later, when the code that asks them is there.
      const isNews = JSON.stringify(next.models ?? []) !== JSON.stringify(followed.current.models)
      const held = changeOf((heard) => session.on('capabilities-changed', heard), isNews ? 2 : 1)
      writeFileSync(file, JSON.stringify(next))
      await held
    },
    ask: () => session.answer(question, new AbortController().signal),
  }
}

/** Resolves when something was heard so many times. */
function changeOf(listen: (heard: () => void) => () => void, times = 1): Promise<void> {
  return new Promise((resolve) => {
    let left = times
    const stop = listen(() => {
      left -= 1
      if (left > 0) return
      stop()
      resolve()
    })
  })
}

test('models that are put into the config while we run answer the next request, and those that are taken out none', async () => {
  const { origin } = await startModelServer('openai-compatible', { text: ['The 10:05.'] })
  const models = [{ provider: 'lab', model: 'tiny', baseUrl: `${origin}/v1` }]
  const { session, write, ask } = await run({ rules })
  const before = [session.capabilities().sampling, (await ask()).outcome]
  await write({ rules, models })
  const during = [session.capabilities().sampling, await ask()]
  await write({ rules })
  const after = [session.capabilities().sampling, (await ask()).outcome]

  expect([before, after]).toEqual([
    [false, 'refused'],
    [false, 'refused'],
  ])
  expect(during).toMatchObject([true, { outcome: 'answered', by: 'rule', result: { content: { text: 'The 10:05.' } } }])
})

test('a model that cannot be used is left out while we run, with the reason, and the others answer', async () => {
  const { origin } = await startModelServer('openai-compatible', { text: ['The 10:05.'] })
  const lab = { provider: 'lab', model: 'tiny', baseUrl: `${origin}/v1` }
  const { opened, notices, write, ask } = await run({ rules })
  await write({
    rules,
    models: [{ provider: 'nobody-knows', model: 'm' }, lab, { provider: 'far', model: 'm', baseUrl: 'http://127.0.0.1:1', apiKey: '${NOT_SET}' }],
  })

  expect(await ask()).toMatchObject({ outcome: 'answered', result: { content: { text: 'The 10:05.' } } })
  expect(opened.rooms.models().list()).toEqual([{ provider: 'lab', model: 'tiny' }])
  expect(notices.map((notice) => notice.replace(/^.*(?=config\.jsonc)/, ''))).toEqual([
    expect.stringMatching(/^config\.jsonc:1:\d+ models far:m needs .*NOT_SET.*This model is not asked/),
    expect.stringMatching(/^config\.jsonc:1:\d+ the provider "nobody-knows" is not known: give it .*This model is not asked/),
  ])
})

test('a config that is edited elsewhere leaves the models as they are, and what was read for them', async () => {
  const models = [{ provider: 'ollama', model: 'm' }]
  const { opened, session, write } = await run({ rules, models })
  const list = opened.rooms.models().list()
  await write({ rules: [], models })

  expect([opened.rooms.models().list() === list, session.capabilities().sampling]).toEqual([true, false])
})
