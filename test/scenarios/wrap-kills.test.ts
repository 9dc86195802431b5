import { afterAll, beforeAll, expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { KillScene, victims } from '../fixtures/kill-scene.ts'
import { killSteps, Person } from '../fixtures/kill-steps.ts'
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
      victims.map(async (victim) => {
        const scene = await KillScene.open(place, `${victim}-${number}`)
        const person = new Person(desk, scene)
        await reach(scene, person)
        scene.kill(victim)
        const end = await scene.areGone()
        await expect.poll(() => person.stillOpen(), { timeout: 60_000 }).toEqual([])
        return [victim, end, scene.answered().length - new Set(scene.answered()).size]
      }),
    )

    // Nobody was answered twice, and the desk lives. What a wrap leaves with is what its server left with.
    expect(left).toEqual([
      ['client', 'SIGKILL', 0],
      ['wrap', 137, 0],
      ['server', 137, 0],
    ])
    expect(desk.child.exitCode).toBe(null)
  },
  LONG,
)
