import { afterAll, beforeAll, expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { KillScene, killSteps } from '../fixtures/kill-scene.ts'
import { Workplace } from '../fixtures/program.ts'

const LONG = 180_000
const ends: (() => void)[] = []
let place: Workplace
let desk: DeskProgram

beforeAll(async () => {
  place = new Workplace((undo) => ends.push(undo))
  desk = await DeskProgram.start(place)
}, LONG)
afterAll(() => {
  for (const undo of ends.toReversed()) undo()
})

let count = 0

test.each(killSteps)(
  '%s era, killed %s: a server, a client and a wrap leave nothing running, and nothing waiting',
  async (_, __, { reach }) => {
    const number = (count += 1)
    const left = await Promise.all(
      (['server', 'client', 'wrap'] as const).map(async (victim) => {
        const scene = await KillScene.open(place, desk, `${victim}-${number}`)
        const { client, pid } = scene
        await reach(scene)
        if (victim === 'server') process.kill(pid, 'SIGKILL')
        if (victim === 'wrap') client.child.kill('SIGKILL')
        if (victim === 'client') for (const stream of [client.child.stdin, client.child.stdout, client.child.stderr]) stream!.destroy()
        await client.ended
        await scene.serverIsGone()
        await expect.poll(() => scene.stillOpen(), { timeout: 60_000 }).toEqual([])
        return scene
      }),
    )
    const answered = left.map(({ client }) => client.lines.map((line) => JSON.parse(line) as { readonly id?: unknown; readonly method?: string }))

    // Nobody was answered twice, and the desk lives.
    expect(answered.map((messages) => messages.filter(({ method, id }) => method === undefined && id === 1).length <= 1)).toEqual([true, true, true])
    expect(desk.child.exitCode).toBe(null)
  },
  LONG,
)
