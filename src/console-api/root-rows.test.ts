import { expect, test } from 'vitest'
import { describeDisk } from '../paths/index.ts'
import { parseConfig } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import type { ObservedSession } from '../desk/desk-observer.ts'
import { listRootRows, type RootRowNeeds } from './root-rows.ts'

test('what was allowed for this run is listed with the command that it was for, where that one is not connected now', async () => {
  const one: ServerIdentity = { name: 'ghost', named: true, target: { kind: 'stdio', command: 'node', args: ['server.js'] } }
  const other: ServerIdentity = { ...one, target: { kind: 'stdio', command: 'node', args: ['--no-warnings', 'server.js'] } }
  const needs = (...connected: readonly ServerIdentity[]): RootRowNeeds => ({
    config: { current: parseConfig('{}', 'config.jsonc', { platform: 'posix', home: '/home/ada', directory: '/' }) },
    grants: { list: () => Promise.resolve([]) },
    folders: { forRun: () => [{ server: one, entry: { path: '/w/secret' } }] },
    timeline: { sessions: connected.map((server) => ({ origin: { server, connection: 'c' } }) as ObservedSession) },
    disk: describeDisk({ dirs: ['/w/secret'] }, { platform: 'posix' }),
    place: { home: '/home/ada', stateFolder: '/home/ada/.config/consentry' },
  })
  const rows = await Promise.all([needs(one), needs(other), needs()].map(listRootRows))

  expect(rows.map(([row]) => [row?.path, row?.source, row?.away])).toEqual([
    ['/w/secret', 'run', undefined],
    ['/w/secret', 'run', 'node server.js'],
    ['/w/secret', 'run', 'node server.js'],
  ])
})
