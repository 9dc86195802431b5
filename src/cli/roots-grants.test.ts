import { mkdtempSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Grants } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { openStore } from '../store/index.ts'
import { run } from './program.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
let home = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'roots-grants-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function consentry(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await run(argv, {
    environment: { CONSENTRY_HOME: home, HOME: home },
    cwd: home,
    platform: process.platform,
    interrupted: new AbortController().signal,
    stdin,
    stdout,
    stderr,
  })
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: read(stdout), err: read(stderr) }
}
async function remember(...grants: readonly Parameters<Grants['add']>[1][]): Promise<void> {
  const store = await openStore({ file: join(home, 'consentry.db') })
  let id = 0
  const all = new Grants({ store, now: () => Date.UTC(2026, 10, 30), newId: () => `${(id += 1)}000-grant` })
  for (const grant of grants) await all.add(travel, grant)
  await store.close()
}

test('where nothing was remembered the list says so, and no database is made', async () => {
  expect(await consentry('roots', 'grants')).toMatchObject({ code: 0, out: expect.stringMatching(/Nothing is remembered.*\n.*for one run.*consentry up/) })
  expect((await consentry('roots', 'grants', '--json')).out).toBe('[]\n')
  expect(existsSync(join(home, 'consentry.db'))).toBe(false)
})

test('what is remembered is listed: for whom, what, since when and how long', async () => {
  const until = Date.UTC(2099, 0, 1)
  await remember(
    { kind: 'roots', details: { path: '/w/app', name: 'App' }, expiresAt: until },
    { kind: 'roots', details: { refused: true } },
    { kind: 'sampling', details: {} },
    { kind: 'roots', details: { path: '/w/old' }, expiresAt: 1 },
    { kind: 'roots', details: { path: 7 } },
  )

  expect(JSON.parse((await consentry('roots', 'grants', '--json')).out)).toEqual([
    { id: '1000-grant', server: 'travel', path: '/w/app', name: 'App', since: '2026-11-30T00:00:00.000Z', until: '2099-01-01T00:00:00.000Z' },
    { id: '2000-grant', server: 'travel', since: '2026-11-30T00:00:00.000Z' },
  ])
  expect((await consentry('roots', 'grants')).out).toBe(
    '1000-gra  travel  /w/app "App"  since 2026-11-30, until 2099-01-01\n2000-gra  travel  no folders, and is not asked about  since 2026-11-30, until it is revoked\n',
  )
  expect((await consentry('roots', 'grants', '--server', 'notes', '--json')).out).toBe('[]\n')
})

test('a grant is revoked by the beginning of its id, and only where that is clear', async () => {
  await remember({ kind: 'roots', details: { path: '/w/app' } }, { kind: 'roots', details: { path: '/w/lib' } })

  expect(await consentry('roots', 'grants', 'revoke', '100')).toMatchObject({ code: 2, err: expect.stringContaining('No grant has the id "100"') })
  expect(await consentry('roots', 'grants', 'revoke', '1000')).toMatchObject({ code: 0, out: expect.stringMatching(/^revoked 1000-gra {2}travel {2}\/w\/app/) })
  expect(JSON.parse((await consentry('roots', 'grants', '--json')).out)).toMatchObject([{ path: '/w/lib' }])
})
