import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyConfig, type Config } from '../../policy/index.ts'
import type { Place } from '../place.ts'
import { checkServers } from './check-servers.ts'

test('install is advised for what it would wrap; what it would leave alone is said with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'consentry-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.cursor'))
  const file = join(folder, '.cursor', 'mcp.json')
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: { gone: { command: 'no-such-program' }, fine: { url: 'https://n.example/' }, off: { command: 'b', disabled: true } } }),
  )
  const place = { environment: { HOME: folder, CONSENTRY_HOME: join(folder, 'state') }, cwd: folder, platform: process.platform } as unknown as Place

  expect(await checkServers(emptyConfig, { waitMs: 1, signal: new AbortController().signal, onAwaited: () => undefined }, place)).toEqual([
    { check: 'servers', about: `Cursor: ${file}`, state: 'note', says: 'not wrapped: fine', advice: 'consentry install' },
    { check: 'servers', about: `Cursor: ${file}`, state: 'note', says: 'install leaves "gone" alone: there is no program "no-such-program" here' },
  ])
})

test('who waits is told which servers have not answered yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'consentry-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const place = { environment: { HOME: folder, CONSENTRY_HOME: join(folder, 'state') }, cwd: folder, platform: process.platform } as unknown as Place
  const mcpServers = new Map([['gone', { kind: 'stdio', command: 'no-such-program', args: [], env: {} }]])
  const told: (readonly string[])[] = []

  await checkServers(
    { ...emptyConfig, mcpServers } as unknown as Config,
    { waitMs: 1000, signal: new AbortController().signal, onAwaited: (names) => told.push(names) },
    place,
  )

  expect(told).toEqual([['gone'], []])
})
