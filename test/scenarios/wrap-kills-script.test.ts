import { expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { KillScene, victims } from '../fixtures/kill-scene.ts'
import { killSteps, type Answerer } from '../fixtures/kill-steps.ts'
import { startModelServer } from '../fixtures/model-server.ts'
import { Workplace } from '../fixtures/program.ts'

const LONG = 180_000

/** A folder with a script that answers at once, but leaves what is asked of a model to one that never answers. */
async function prepare(): Promise<{ readonly place: Workplace; readonly script: readonly string[]; readonly answerer: Answerer }> {
  const place = new Workplace()
  const model = await startModelServer('openai-compatible', () => undefined)
  place.config({ models: [{ provider: 'own', model: 'small', baseUrl: `${model.origin}/v1` }] })
  const answers = place.answers(
    { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { name: 'Ada' } } },
    { when: { request: 'elicitation', mode: 'url' }, then: { action: 'decline' } },
    { when: { request: 'sampling' }, then: { action: 'approve', model: 'own:small' } },
  )
  const nothingToDo = (): Promise<void> => Promise.resolve()
  let waiting = 0
  const answerer = {
    slow: { alone: 'sample', split: 'split-model' },
    waits: () => {
      waiting += 1
      return expect.poll(() => model.heard.length, { timeout: 60_000 }).toBe(waiting)
    },
    begin: nothingToDo,
    answer: nothingToDo,
  }
  return { place, script: ['--answers', answers], answerer }
}

/** What somebody asks in the same state folder afterwards is answered. */
async function asksAgain(place: Workplace, script: readonly string[]): Promise<string> {
  const scene = await KillScene.open(place, 'afterwards', script)
  await scene.client.shakeHands()
  scene.call('who')
  const answer = JSON.stringify(await scene.client.answerTo(1))
  scene.client.child.stdin!.end()
  await scene.areGone()
  return answer
}

test.each(killSteps)(
  '%s era with a script, killed %s: a server, a client and a wrap leave nothing running, no desk, and a log that is whole',
  async (_, __, { reach }) => {
    const { place, script, answerer } = await prepare()
    const scenes = await Promise.all(victims.map((victim) => KillScene.open(place, victim, script)))
    for (const scene of scenes) await reach(scene, answerer)
    for (const [index, victim] of victims.entries()) scenes[index]!.kill(victim)
    const left = await Promise.all(scenes.map(async (scene) => [await scene.areGone(), scene.answered().length - new Set(scene.answered()).size]))
    const again = await asksAgain(place, script)
    const { code } = await place.run(['audit', 'verify'])

    expect(victims.map((victim, index) => [victim, ...left[index]!])).toEqual([
      ['client', 'SIGKILL', 0],
      ['wrap', 137, 0],
      ['server', 137, 0],
    ])
    expect([again, code, place.has('state/desk.json')]).toEqual([expect.stringContaining('Ada'), 0, false])
  },
  LONG,
)

test.each(killSteps.filter(([, moment]) => moment.startsWith('between two')))(
  '%s era with a script, killed %s: a desk that runs beside it is not missed',
  async (_, __, { reach, pending }) => {
    const { place, script, answerer } = await prepare()
    const desk = await DeskProgram.start(place)
    const scene = await KillScene.open(place, 'asking', script)
    await reach(scene, answerer)
    desk.child.kill('SIGKILL')
    await desk.ended
    scene.goOn()
    const answers = await Promise.all(pending.map(async (id) => JSON.stringify(await scene.client.answerTo(id))))
    const again = await asksAgain(place, script)

    expect([answers.every((answer) => answer.match(/Ada/g)?.length === 2), again]).toEqual([true, expect.stringContaining('Ada')])
  },
  LONG,
)
