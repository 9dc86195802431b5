import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingServer, node, Workplace } from '../fixtures/program.ts'

const LONG = 60_000
const asking = (era: string): readonly string[] => ['--', node, askingServer, era]

test(
  'folders are added, listed with what they are now, and removed',
  async () => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'trip'))
    const list = async (): Promise<unknown> => JSON.parse((await place.run(['roots', 'list', '--json'])).stdout)
    const added = await place.run(['roots', 'add', 'trip', '--server', 'travel', '--display-name', 'Trip'])
    const late = await place.run(['roots', 'add', 'not-there-yet'])
    const listed = await list()
    const removed = await place.run(['roots', 'remove', 'trip', '--server', 'travel'])

    expect([added.code, late.code, removed.code]).toEqual([0, 0, 0])
    expect(listed).toMatchObject([
      { server: 'travel', path: join(place.folder, 'trip'), name: 'Trip', status: 'ok', uri: `file://${place.folder}/trip` },
      { server: '*', path: join(place.folder, 'not-there-yet'), status: 'missing' },
    ])
    expect(await list()).toMatchObject([{ server: '*', status: 'missing' }])
    // The config, and the log of who gave and took; nobody else on this machine may read them.
    expect(place.state().filter((entry) => !/^600 (config\.jsonc|audit\.head|consentry\.db(-shm|-wal)?)$/.test(entry))).toEqual(['700'])
  },
  LONG,
)

test(
  'a folder that may not be read is not told, nor is one inside it, and the list says so',
  async () => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'locked/below'), { recursive: true })
    place.config({ roots: { '*': ['locked', 'locked/below'].map((name) => ({ path: join(place.folder, name) })) } })
    chmodSync(join(place.folder, 'locked'), 0o000)
    const { stdout } = await place.run(['roots', 'list', '--json'], { isBound: true })
    chmodSync(join(place.folder, 'locked'), 0o700)

    expect(JSON.parse(stdout)).toMatchObject([{ status: 'denied' }, { status: 'denied' }])
  },
  LONG,
)

test.each<[string, readonly string[], string]>([
  ['a path that no folder can have', ['add', 'file:relative'], 'file:relative'],
  ['the top of the disk', ['add', '/'], '/'],
  ['a folder that is not on the list', ['remove', 'trip'], 'roots list'],
])(
  '%s is refused, and the config stays as it was',
  async (_, args, words) => {
    const place = new Workplace()
    const before = '{\n  // mine\n  "roots": {}\n}\n'
    place.config(before)
    const { code, stdout, stderr } = await place.run(['roots', ...args])

    expect([code, stdout, place.read('state/config.jsonc')]).toEqual([2, '', before])
    expect(stderr).toContain(words)
  },
  LONG,
)

test(
  'the home folder is added only where that was meant',
  async () => {
    const place = new Workplace()
    const [asked, meant] = [await place.run(['roots', 'add', place.folder]), await place.run(['roots', 'add', place.folder, '--yes'])]

    expect([asked.code, meant.code]).toEqual([2, 0])
    expect(asked.stderr).toContain('--yes')
  },
  LONG,
)

test(
  'a folder that is added while a call runs is told to its server at once',
  async () => {
    const place = new Workplace()
    for (const name of ['trip', 'work']) mkdirSync(join(place.folder, name))
    await place.run(['roots', 'add', 'trip'])
    const running = place.call(['watch', '--answers', place.answers(), ...asking('legacy')])
    await expect.poll(async () => (await place.run(['audit', 'export'])).stdout.includes('"answered"'), { timeout: 20_000 }).toBe(true)
    await place.run(['roots', 'add', 'work'])
    const { code, output } = await running

    expect([code, output.requests]).toMatchObject([
      0,
      [
        { request: 'roots', by: 'rule', response: { roots: [{ uri: `file://${place.folder}/trip` }] } },
        { request: 'roots', by: 'rule', response: { roots: [{ uri: `file://${place.folder}/trip` }, { uri: `file://${place.folder}/work` }] } },
      ],
    ])
  },
  LONG,
)
