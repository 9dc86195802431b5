import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AttackScene, no, ways } from '../../test/fixtures/held-attacker.ts'
import { thisMachine, type Machine } from './machine.ts'

const refused = expect.stringMatching(no) as string
const notStarted = expect.stringContaining('something else was put in the place of') as string

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

describe.runIf(process.platform === 'linux').each(ways)('what is put in the place of a folder of a server that is held by $name', ({ only, machine }) => {
  const isLandlock = only === 'landlock'

  test.each([
    ['a link', symlinkSync],
    ['another folder', renameSync],
  ])('between the look and the start is not granted: %s', async (_, replace) => {
    const scene = new AttackScene()
    const attempts = [
      ['list', scene.at('root')],
      ['read', scene.at('root/secret')],
      ['write', scene.at('root/new')],
      ['read', scene.at('reading/in')],
    ] as const
    const held = await scene.hold(attempts, { only, machine })
    rmSync(scene.at('root'), { recursive: true })
    replace(scene.at('outside'), scene.at('root'))

    expect(await scene.run(held)).toEqual(isLandlock ? [refused, refused, refused, 'inside'] : [notStarted])
    expect(existsSync(scene.at('root/new'))).toBe(false)
  })

  test('nor is it where it takes the place of what the server may read to start', async () => {
    const scene = new AttackScene()
    const held = await scene.hold([['read', scene.at('reading/secret')]], { only, machine }, { readable: [scene.at('reading')], roots: [] })
    rmSync(scene.at('reading'), { recursive: true })
    symlinkSync(scene.at('outside'), scene.at('reading'))

    expect(await scene.run(held)).toEqual([isLandlock ? refused : notStarted])
  })

  test('nor where what it may read is away in the moment in which it is looked at', async () => {
    const scene = new AttackScene()
    const blinking: Machine = { ...thisMachine, ...machine, lookAt: (path) => (path === scene.at('reading') ? undefined : thisMachine.lookAt(path)) }
    const held = await scene.hold([['read', scene.at('reading/secret')]], { only, machine: blinking }, { readable: [scene.at('reading')], roots: [] })
    rmSync(scene.at('reading'), { recursive: true })
    symlinkSync(scene.at('outside'), scene.at('reading'))

    expect(await scene.run(held)).toEqual([refused])
  })

  test('since somebody said yes to that folder is not there for it', async () => {
    const scene = new AttackScene()
    const identity = identityOf(scene.at('root'))
    renameSync(scene.at('root'), scene.at('moved'))
    symlinkSync(scene.at('outside'), scene.at('root'))
    const attempts = [
      ['read', scene.at('root/secret')],
      ['read', scene.at('outside/secret')],
    ] as const
    const held = await scene.hold(attempts, { only, machine }, { roots: [{ path: scene.at('root'), access: 'read-write', identity }] })

    expect([held.roots, await scene.run(held)]).toEqual([[], [refused, refused]])
  })

  test('in a race before its start never lets it out', async () => {
    const scene = new AttackScene()
    for (const folder of ['around', 'around/folder']) mkdirSync(scene.at(folder))
    writeFileSync(scene.at('around/folder/in'), 'inside')
    const identity = identityOf(scene.at('around/folder'))
    const swapper = spawn(process.execPath, [
      join(import.meta.dirname, '../../test/fixtures/path-swapper.mjs'),
      scene.at('around'),
      scene.at('outside'),
      '60000',
    ])
    onTestFinished(() => void swapper.kill('SIGKILL'))
    await once(swapper.stdout, 'data')
    const attempts = [
      ['read', scene.at('around/folder/secret')],
      ['read', scene.at('outside/secret')],
    ] as const
    const seen = new Set<string>()
    for (let round = 0; round < 15; round += 1) {
      const held = await scene.hold(attempts, { only, machine }, { roots: [{ path: scene.at('around/folder'), access: 'read-write', identity }] })
      for (const result of await scene.run(held)) seen.add(result)
      held.close()
    }

    expect([seen.size > 0, [...seen].filter((result) => result.includes('kept from it'))]).toEqual([true, []])
  }, 60_000)

  test('or of a folder in it, while it runs, is not reached', async () => {
    const scene = new AttackScene()
    mkdirSync(scene.at('root/folder'))
    const paths = ['root/secret', 'root/folder/secret', 'outside/secret'].map((name) => scene.at(name))
    const child = scene.start(
      await scene.hold([['await'], ...paths.map((path) => ['read', path] as const), ['write', scene.at('root/new')]], { only, machine }),
    )
    await once(child.stdout!, 'data')
    rmSync(scene.at('root/folder'), { recursive: true })
    symlinkSync(scene.at('outside'), scene.at('root/folder'))
    renameSync(scene.at('root'), scene.at('moved'))
    symlinkSync(scene.at('outside'), scene.at('root'))

    expect((await scene.resultsOf(child)).slice(1, 4)).toEqual([refused, refused, refused])
    expect(readdirSync(scene.at('outside'))).toEqual(['secret'])
  })
})

test.runIf(process.platform === 'linux')('folders with names too long for one list are looked at all the same, each by itself', async () => {
  const scene = new AttackScene()
  const deep = Array.from({ length: 14 }, () => 'deep'.repeat(60)).join('/')
  const paths = Array.from({ length: 45 }, (_, index) => scene.at(`many/${index}/${deep}`))
  for (const path of paths) mkdirSync(path, { recursive: true })
  const roots = paths.map((path) => ({ path, access: 'read-write' }) as const)
  const attempts = [['write', `${paths.at(-1)}/new`]] as const
  const options = { only: 'bubblewrap', machine: thisMachine } as const
  const results = await scene.run(await scene.hold(attempts, options, { roots }))
  const swapped = await scene.hold(attempts, options, { roots })
  rmSync(paths[0]!, { recursive: true })
  symlinkSync(scene.at('outside'), paths[0]!)

  expect([results, existsSync(`${paths.at(-1)}/new`), await scene.run(swapped)]).toEqual([['done'], true, [notStarted]])
})
