import { describe, expect, test } from 'vitest'
import { createLocalDesk, RecordingDesk } from '../../src/desk/index.ts'
import { describeDisk } from '../../src/paths/index.ts'
import type { Decision, Desk, Era, Review } from '../../src/protocol/index.ts'
import { RootList } from '../../src/roots/index.ts'
import { createScriptedPerson, formQuestion, modelQuestion, rootsQuestion, urlQuestion, type Script } from '../../src/testing/index.ts'
import { answersOf, eras, withAnswers, withDesk } from '../fixtures/setting.ts'

const login = formQuestion(
  'Your account? (*)',
  {
    user: { type: 'string' },
    apiKey: { type: 'string', title: 'API key' },
    pin: { type: 'integer' },
    region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
  },
  ['user'],
)
const tour: Script = [rootsQuestion(), login, urlQuestion('Pay', 'https://pay.example/'), modelQuestion('Which flight?'), login]

function decide({ kind }: Review): Decision | undefined {
  const decisions: Partial<Record<Review['kind'], Decision>> = {
    folders: { action: 'grant', roots: [{ path: '/home/ada/trip' }] },
    form: { action: 'accept', content: { user: 'ada', apiKey: 'correct-horse-battery', pin: 424_242 } },
    url: { action: 'decline' },
    prompt: { action: 'write', completion: { content: [{ type: 'text', text: 'The 10:05.' }], model: 'person' } },
  }
  return decisions[kind]
}

const folders = (): RootList => new RootList({ disk: describeDisk({ dirs: ['/home/ada/trip'] }, { platform: 'posix' }), home: '/home/ada' })

/** One run with a person, as `--record` sees it. */
async function recordRun(era: Era): Promise<{ readonly text: string; readonly answers: readonly unknown[] }> {
  let text = ''
  const { desk, inbox } = createLocalDesk({ roots: folders(), proposedRoots: [{ path: '/home/ada/trip' }] })
  createScriptedPerson({ inbox, decide })
  const recording: Desk = new RecordingDesk(desk, { write: async (next) => void (text = next), pathOf: (uri) => uri.slice('file://'.length) })
  const setting = await withDesk(recording, { era, server: { tools: { tour } } })
  await setting.call('tour')
  await setting.host.close()
  await recording.close()
  return { text, answers: answersOf(setting) }
}

describe.each(eras)('a run that was recorded in the %s era', (era) => {
  test('gives the same answers again, in either era, with the secret from the environment', async () => {
    const { text, answers } = await recordRun(era)
    for (const replayEra of eras) {
      const setting = await withAnswers({
        era: replayEra,
        roots: folders(),
        server: { tools: { tour } },
        answers: (JSON.parse(text) as { answers: readonly object[] }).answers,
        environment: { API_KEY: 'correct-horse-battery', PIN: '424242' },
      })
      await setting.call('tour')

      expect(answersOf(setting)).toEqual(answers)
      expect(setting.ends.map(({ response }) => response)).toMatchObject(answers.map(() => ({ by: 'script' })))
    }
    expect(answers).toMatchObject([
      { roots: [{ uri: 'file:///home/ada/trip' }] },
      { action: 'accept', content: { user: 'ada', apiKey: 'correct-horse-battery', pin: 424_242, region: 'eu' } },
      { action: 'decline' },
      { content: { text: 'The 10:05.' }, model: 'person' },
      { action: 'accept' },
    ])
  })

  test('holds a variable in the place of the secret, and everything else as it was given', async () => {
    const { text } = await recordRun(era)

    expect(text).toContain('"apiKey": "${API_KEY}"')
    expect(text).toContain('"user": "ada"')
    expect(text).not.toMatch(/correct-horse-battery|424242/)
  })

  test('replayed without the secret sends nothing in its place', async () => {
    const { text } = await recordRun(era)
    const { answers } = JSON.parse(text) as { answers: readonly object[] }
    const setting = await withAnswers({ era, server: { tools: { ask: [login] } }, answers })
    await setting.call('ask')

    expect(answersOf(setting)).toEqual([{ action: 'cancel' }])
    expect(setting.ends).toMatchObject([
      { response: { by: 'none', unanswered: 'answer-does-not-fit', facts: { faults: [{ field: 'apiKey' }, { field: 'pin' }] } } },
    ])
  })
})
