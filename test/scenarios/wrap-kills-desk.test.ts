import { expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { KillScene } from '../fixtures/kill-scene.ts'
import { killSteps, Person } from '../fixtures/kill-steps.ts'
import { modern } from '../fixtures/gateway-talk.ts'
import { Workplace } from '../fixtures/program.ts'

const LONG = 180_000

test.each(killSteps)(
  '%s era, killed %s: a desk takes no traffic with it, every call ends once, and nothing is left running afterwards',
  async (era, _, { reach, then, pending }) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const scene = await KillScene.open(place, 'asking')
    const { client } = scene
    await reach(scene, new Person(desk, scene))
    desk.child.kill('SIGKILL')
    await desk.ended
    scene.goOn()
    await then?.(scene)
    const params = { name: 'echo', arguments: {} }
    client.say({ id: 3, method: 'tools/call', params: era === 'modern' ? modern({}, params) : params })
    for (const id of [3, ...pending]) await client.answerTo(id)
    client.child.stdin!.end()
    await scene.areGone()

    expect(scene.answered()).toEqual([...new Set(scene.answered())])
  },
  LONG,
)
