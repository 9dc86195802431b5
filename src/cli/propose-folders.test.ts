import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Place } from './place.ts'
import { proposeFolders } from './propose-folders.ts'

let home = ''

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'propose-')))
  for (const name of ['work/app/.git/objects', 'work/app/.git/refs', 'work/docs', 'work/app/stdio', 'state']) mkdirSync(join(home, name), { recursive: true })
  writeFileSync(join(home, 'work/app/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(home, 'work/app/server.js'), '')
})
afterEach(() => rmSync(home, { recursive: true }))

async function propose(...args: readonly string[]): Promise<readonly string[]> {
  const place = {
    environment: { CONSENTRY_HOME: join(home, 'state'), HOME: home },
    cwd: join(home, 'work/app'),
    platform: process.platform,
  } as unknown as Place
  const proposals = await proposeFolders(place, { kind: 'stdio', command: 'node', args, cwd: place.cwd })
  return proposals.map(({ path, why }) => `${path.slice(home.length)} ${why?.key}`)
}

test('a folder in the command of a server is proposed first, with why, beside the project around its working directory', async () => {
  expect(await propose('./server.js', join(home, 'work/docs'), `--root=${join(home, 'work/docs')}/`)).toEqual([
    '/work/docs among-arguments',
    '/work/app holds-evidence',
  ])
  expect(await propose('./server.js', '../docs')).toEqual(['/work/docs among-arguments', '/work/app holds-evidence'])
  expect(await propose('~/work/app/')).toEqual(['/work/app among-arguments'])
})

test('what is no folder, must never be told, or is no path by itself is not proposed, whatever lies in the working directory', async () => {
  expect(await propose('stdio', './server.js', '/', join(home, 'gone'), join(home, 'work/app/.git'), '--flag', '/\0', `/${'x'.repeat(5000)}`)).toEqual([
    '/work/app holds-evidence',
  ])
})
