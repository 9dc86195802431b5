import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuditLog } from '../audit/index.ts'
import { Grants } from '../policy/index.ts'
import { openStore } from '../store/index.ts'
import type { Place } from './place.ts'
import { run } from './program.ts'

let home = ''

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'roots-list-')))
  for (const name of ['trip', 'all', 'granted', 'replaced', 'state']) mkdirSync(join(home, name))
})
afterEach(() => rmSync(home, { recursive: true }))

async function consentry(...argv: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { CONSENTRY_HOME: join(home, 'state'), HOME: home }
  await run(argv, { environment, cwd: home, platform: process.platform, stdin, stdout, stderr } as unknown as Place)
  return String(stdout.read() ?? stderr.read())
}
function configure(config: object): void {
  writeFileSync(join(home, 'state', 'config.jsonc'), JSON.stringify(config))
}
async function list(...argv: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse(await consentry('roots', 'list', '--json', ...argv)) as readonly Record<string, unknown>[]
}

test('an empty list says how to begin, and of whom it is the list', async () => {
  configure({ roots: { travel: [{ path: '~/trip' }] } })

  expect(await consentry('roots', 'list', '--server', 'notes')).toBe(
    'No folder may be told to notes. Add one: consentry roots add PATH --server notes\nWhat was allowed for one run is not listed here: the desk shows it (consentry up).\n',
  )
  configure({})
  expect(await consentry('roots', 'list')).toContain('consentry roots add PATH')
})

test('the list says who may be told of each folder, whether it can be told now, and by what name', async () => {
  configure({
    mcpServers: {
      travel: { command: 'node', args: ['travel.js'] },
      box: { command: 'docker', args: ['run', '-i', 'box'] },
      notes: { url: 'https://notes.example/mcp' },
    },
    roots: { travel: [{ path: '~/trip', name: 'Trip' }, { path: '~/gone' }], '*': [{ path: '~/all' }], notes: [{ path: '~/trip' }] },
    rootMappings: { box: { '~': 'file:///home/box' } },
  })

  expect(await list()).toEqual([
    { server: 'travel', path: `${home}/trip`, name: 'Trip', status: 'ok', uri: `file://${home}/trip`, told: [] },
    { server: 'travel', path: `${home}/gone`, status: 'missing', uri: `file://${home}/gone`, reason: expect.any(String), told: [] },
    {
      server: '*',
      path: `${home}/all`,
      status: 'ok',
      uri: `file://${home}/all`,
      elsewhere: [
        { server: 'box', uri: 'file:///home/box/all' },
        { server: 'notes', uri: null },
      ],
      told: [],
    },
    { server: 'notes', path: `${home}/trip`, status: 'unmapped', reason: expect.stringContaining('rootMappings'), told: [] },
  ])
  expect((await list('--server', 'travel')).map(({ server, path }) => [server, path])).toEqual([
    ['travel', `${home}/trip`],
    ['travel', `${home}/gone`],
    ['*', `${home}/all`],
  ])
  expect(await consentry('roots', 'list', '--server', '*')).toBe(
    [
      `*  ok  ${home}/all`,
      `    told as file://${home}/all`,
      '    told to box as file:///home/box/all',
      '    not told to notes, which has files of its own',
      '    nobody was told yet',
      '',
    ].join('\n'),
  )
})

test('the list says who was told, and when last, and what was granted until when', async () => {
  configure({ roots: { travel: [{ path: '~/trip' }], '*': [{ path: '~/all' }] } })
  const store = await openStore({ file: join(home, 'state', 'consentry.db') })
  let now = Date.UTC(2026, 10, 30, 10, 12)
  const audit = new AuditLog({ store, anchorFile: join(home, 'state', 'audit.head'), now: () => (now += 60_000) })
  const about = { event: 'answered', request: 'roots', connection: 'c', question: 'q' } as const
  await audit.append({ ...about, server: 'travel', facts: { roots: [`file://${home}/trip`, `file://${home}/all`] } })
  await audit.append({ ...about, server: 'notes', facts: { roots: [`file://${home}/all`, `file://${home}/trip`] } })
  const grants = new Grants({ store })
  const travel = { name: 'travel', named: true, target: { kind: 'custom', description: '' } } as const
  const mark = { object: String(statSync(join(home, 'replaced')).ino) }
  await grants.add(travel, { kind: 'roots', details: { path: join(home, 'replaced'), mark } })
  await grants.add(travel, { kind: 'roots', details: { path: join(home, 'granted') }, expiresAt: Date.UTC(2099, 0, 1) })
  await store.close()
  renameSync(join(home, 'replaced'), join(home, 'moved'))
  mkdirSync(join(home, 'replaced'))

  const rows = await list()

  expect(rows.slice(0, 2).map(({ server, told }) => [server, told])).toEqual([
    ['travel', [{ server: 'travel', at: '2026-11-30T10:13:00.000Z' }]],
    [
      '*',
      [
        { server: 'notes', at: '2026-11-30T10:14:00.000Z' },
        { server: 'travel', at: '2026-11-30T10:13:00.000Z' },
      ],
    ],
  ])
  expect(rows.slice(2).toSorted((one, other) => String(one['path']).localeCompare(String(other['path'])))).toMatchObject([
    { server: 'travel', path: `${home}/granted`, status: 'ok', grant: expect.any(String), until: '2099-01-01T00:00:00.000Z' },
    { server: 'travel', path: `${home}/replaced`, status: 'replaced', grant: expect.any(String) },
  ])
  expect(await consentry('roots', 'list')).toContain('last told to notes at 2026-11-30 10:14 UTC, travel at 2026-11-30 10:13 UTC')
  expect(await consentry('roots', 'list')).toMatch(/you said so when it asked; until 2099-01-01 \(grant [0-9a-f]{8}\)/)
})
