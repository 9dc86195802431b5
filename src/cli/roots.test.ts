import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Place } from './place.ts'
import { run } from './program.ts'

let home = ''
const configFile = (): string => join(home, 'state', 'config.jsonc')

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'roots-command-')))
  for (const name of ['trip', 'state', 'repo/.git/objects', 'repo/.git/refs']) mkdirSync(join(home, name), { recursive: true })
  writeFileSync(join(home, 'repo/.git/HEAD'), 'ref: refs/heads/main\n')
})
afterEach(() => rmSync(home, { recursive: true }))

async function consentry(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { CONSENTRY_HOME: join(home, 'state'), HOME: home }
  const code = await run(argv, { environment, cwd: home, platform: process.platform, stdin, stdout, stderr } as unknown as Place)
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: read(stdout), err: read(stderr) }
}

test('a newcomer gives one server one folder, sees that no other server got it, and takes it back', async () => {
  writeFileSync(configFile(), JSON.stringify({ mcpServers: { travel: { command: 'node', args: ['travel.js'] }, notes: { command: 'notes' } } }))
  const added = await consentry('roots', 'add', 'trip', '--server', 'travel', '--display-name', 'Trip')
  const listed = await consentry('roots', 'list')
  const others = await consentry('roots', 'list', '--server', 'notes')
  const removed = await consentry('roots', 'remove', 'trip', '--server', 'travel')

  expect(added).toEqual({ code: 0, out: `travel  ok  ${home}/trip "Trip"\n`, err: '' })
  expect(listed.out).toContain(`travel  ok  ${home}/trip "Trip"\n    told as file://${home}/trip\n    nobody was told yet\n`)
  expect(others.out).toContain('No folder may be told to notes.')
  expect(others.out).toContain('What was allowed for one run is not listed here: the desk shows it')
  expect(removed).toMatchObject({ code: 0, out: expect.stringContaining('What a server has read there it may keep.') })
  expect((await consentry('roots', 'list', '--json')).out).toBe('[]\n')
})

test('what tells the folder on is named where it is taken back, with the way to take that back too', async () => {
  for (const server of [[], ['--server', 'travel'], ['--server', 'notes']]) await consentry('roots', 'add', 'trip', ...server)
  const one = await consentry('roots', 'remove', 'trip', '--server', 'travel')
  const every = await consentry('roots', 'remove', 'trip', '--json')

  expect(one.out).toBe(
    `removed ${home}/trip from the folders of travel\nIt is still told to every server, by the config (consentry roots remove ${home}/trip).\n`,
  )
  expect(JSON.parse(every.out)).toEqual({ server: '*', path: `${home}/trip`, still: [{ server: 'notes' }] })
})

test('the log says who may be told what, from the command line too; nothing is left behind in the config', async () => {
  writeFileSync(configFile(), '{\n  // mine\n  "models": []\n}\n')
  await consentry('roots', 'add', 'trip', '--server', 'travel')
  await consentry('roots', 'add', './trip/', '--server', 'travel', '--display-name', 'Trip')
  await consentry('roots', 'remove', 'trip', '--server', 'travel')
  const { out } = await consentry('audit', 'list')

  expect(out.replaceAll(/^\S+ {2}/gm, '')).toBe(
    `travel  roots  granted by person  yes to ${home}/trip\ntravel  roots  revoked by person  no longer ${home}/trip\n`,
  )
  expect(readFileSync(configFile(), 'utf8')).toBe('{\n  // mine\n  "models": []\n}\n')
})

test('a folder is not given where the log cannot say so', async () => {
  mkdirSync(join(home, 'state', 'consentry.db'))
  const { code } = await consentry('roots', 'add', 'trip', '--server', 'travel', '--as', 'file:///workspace/trip')

  expect([code, existsSync(configFile()) ? readFileSync(configFile(), 'utf8') : '{}\n']).toEqual([expect.any(Number), expect.not.stringContaining('trip')])
  expect(code).not.toBe(0)
})

test('a folder is taken back however it is spelled in the config', async () => {
  writeFileSync(configFile(), '{ "roots": { "*": [{ "path": "~/trip/" }, { "path": "~/./trip" }, { "path": "/srv" }] } }')

  expect(await consentry('roots', 'remove', '~/trip')).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(configFile(), 'utf8'))).toEqual({ roots: { '*': [{ path: '/srv' }] } })
  expect(await consentry('roots', 'remove', '~/trip')).toMatchObject({ code: 2, err: expect.stringContaining('is not in the list of every server') })
})

test('a folder that needs a second look is not added without one, and what must never be told is not added at all', async () => {
  expect(await consentry('roots', 'add', '~')).toMatchObject({ code: 2, err: expect.stringContaining('This is your home folder') })
  expect(await consentry('roots', 'add', 'repo/.git', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('insides of a git repository') })
  expect(await consentry('roots', 'add', '/', '--yes')).toMatchObject({ code: 2 })
  expect((await consentry('roots', 'list', '--json')).out).toBe('[]\n')
  expect(await consentry('roots', 'add', '~', '--yes')).toMatchObject({ code: 0 })
})

test('a folder that is not there yet is added, and said to be missing', async () => {
  const { out, err } = await consentry('roots', 'add', 'later')
  expect([out, err]).toEqual([`*  missing  ${home}/later\n`, expect.stringContaining('there is no such folder now')])
})

test('a folder that is added without a server is said to be for every server', async () => {
  const added = await consentry('roots', 'add', 'trip')

  expect(added).toEqual({ code: 0, out: `*  ok  ${home}/trip\n`, err: expect.stringContaining('every server may be told this folder') })
})

test('a folder for a server that is not in the config is added, and what it is for is said: the name may be mistyped', async () => {
  writeFileSync(configFile(), '{ "mcpServers": { "travel": { "command": "node" } } }')
  const { code, err } = await consentry('roots', 'add', 'trip', '--server', 'travle')

  expect([code, err]).toEqual([
    0,
    'consentry: no server "travle" is in the config (it has: travel; is "travel" meant?): the folder is for one that is started with --name travle.\n',
  ])
})

test('a server with files of its own needs a name for the folder, and gets it with --as', async () => {
  writeFileSync(configFile(), '{ "mcpServers": { "notes": { "url": "https://notes.example/mcp" } } }')
  const without = await consentry('roots', 'add', 'trip', '--server', 'notes')
  const mapped = await consentry('roots', 'add', 'trip', '--server', 'notes', '--as', 'file:///workspace/trip', '--json')

  expect(without.out).toMatch(/^notes {2}unmapped .*\nThis server has files of its own/)
  expect(JSON.parse(mapped.out)).toEqual({ server: 'notes', path: `${home}/trip`, status: 'ok', uri: 'file:///workspace/trip' })
  expect(await consentry('roots', 'add', 'trip', '--as', 'file:///w')).toMatchObject({ code: 2, err: expect.stringContaining('--server') })
  expect(await consentry('roots', 'add', 'trip', '--server', 'notes', '--as', '/w')).toMatchObject({ code: 2, err: expect.stringContaining('file:// URI') })
})

test('the log says by which name a server is told a folder from then on, and a name that no log can say is not left in the config', async () => {
  const map = (uri: string): Promise<{ readonly code: number }> => consentry('roots', 'add', 'trip', '--server', 'box', '--as', uri)
  const codes = [await map('file:///one'), await map('file:///one'), await map('file:///two')].map(({ code }) => code)
  const { out } = await consentry('audit', 'list')
  rmSync(join(home, 'state', 'consentry.db'))
  for (const more of ['-wal', '-shm']) rmSync(join(home, 'state', `consentry.db${more}`), { force: true })
  mkdirSync(join(home, 'state', 'consentry.db'))
  const unsaid = await map('file:///three')

  expect(codes).toEqual([0, 0, 0])
  expect(out.replaceAll(/^\S+ {2}/gm, '').split('\n')).toEqual([
    `box  roots  granted by person  yes to ${home}/trip`,
    `box  roots  granted by person  yes to ${home}/trip  as file:///one`,
    `box  roots  granted by person  yes to ${home}/trip  as file:///two`,
    '',
  ])
  expect(unsaid.code).not.toBe(0)
  expect(readFileSync(configFile(), 'utf8')).toMatch(/file:\/\/\/two/)
  expect(readFileSync(configFile(), 'utf8')).not.toMatch(/three/)
})

test('the project around a folder is found with its evidence', async () => {
  mkdirSync(join(home, 'repo/packages/app'), { recursive: true })
  writeFileSync(join(home, 'repo/packages/app/package.json'), '{}')
  const { out } = await consentry('roots', 'detect', 'repo/packages/app', '--json')

  expect(JSON.parse(out)).toMatchObject([
    { path: `${home}/repo`, uri: `file://${home}/repo`, name: 'repo', evidence: ['git: .git'], level: 'ok' },
    { path: `${home}/repo/packages/app`, evidence: ['npm: package.json'], level: 'ok' },
  ])
})
