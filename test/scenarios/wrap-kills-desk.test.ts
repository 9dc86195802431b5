import { expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { KillScene, killSteps } from '../fixtures/kill-scene.ts'
import { modern } from '../fixtures/gateway-talk.ts'
import { Workplace } from '../fixtures/program.ts'

const LONG = 180_000

test.each(killSteps)(
  '%s era, killed %s: a desk takes no traffic with it, every call ends once, and nothing is left running afterwards',
  async (era, _, { reach, then, pending }) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const scene = await KillScene.open(place, desk, 'asking')
    const { client } = scene
    await reach(scene)
    desk.child.kill('SIGKILL')
    await desk.ended
    place.write(scene.goOn, '')
    await then?.(scene)
    const params = { name: 'echo', arguments: {} }
    client.say({ id: 3, method: 'tools/call', params: era === 'modern' ? modern({}, params) : params })
    for (const id of [3, ...pending]) await client.answerTo(id)
    client.child.stdin!.end()
    await client.ended
    await scene.serverIsGone()

    const ids = client.lines
      .map((line) => JSON.parse(line) as { readonly id?: unknown; readonly method?: string })
      .flatMap(({ id, method }) => (method ? [] : [id]))
    expect(ids).toEqual([...new Set(ids)])
  },
  LONG,
)
