import { expect, test } from 'vitest'
import { describeDisk, type RootMapping } from '../paths/index.ts'
import type { Origin, Reviewer, ServerIdentity } from '../protocol/index.ts'
import { RootList, type OpenRootsOptions } from './root-list.ts'
import { listRoots } from './roots.ts'
import type { ServerRoots } from './server-roots.ts'

const disk = describeDisk({ dirs: ['/home/u/app', '/home/u/notes', '/srv'] }, { platform: 'posix' })
const local: ServerIdentity = { name: 'box', named: true, target: { kind: 'stdio', command: 'docker', args: ['run', '-i', 'box'] } }
const remote: ServerIdentity = { name: 'notes', named: true, target: { kind: 'http', url: 'https://notes.example/mcp' } }
const mapping: readonly RootMapping[] = [{ path: '/home/u', uri: 'file:///workspace' }]

function open(server: ServerIdentity, options: OpenRootsOptions = {}): ServerRoots {
  const configured = new Map([['*', [{ path: '/home/u/app', name: 'App' }, { path: '/srv' }, { path: '/gone' }]]])
  return new RootList({ disk, configured }).open(server, options)
}
async function seen(roots: ServerRoots): Promise<unknown> {
  const [list, states] = [await roots.list(), await roots.states()]
  roots.close()
  return { list, states: states.map(({ path, status, uri }) => [path, status, uri]) }
}

test('a server that is started here sees the same files', async () => {
  expect(await seen(open(local))).toEqual({
    list: [{ uri: 'file:///home/u/app', name: 'App' }, { uri: 'file:///srv' }],
    states: [
      ['/home/u/app', 'ok', 'file:///home/u/app'],
      ['/srv', 'ok', 'file:///srv'],
      ['/gone', 'missing', 'file:///gone'],
    ],
  })
})

test('a server with mappings is told the mapped folders under its own names, and no others', async () => {
  for (const server of [local, remote]) {
    expect(await seen(open(server, { mappings: () => mapping }))).toEqual({
      list: [{ uri: 'file:///workspace/app', name: 'App' }],
      states: [
        ['/home/u/app', 'ok', 'file:///workspace/app'],
        ['/srv', 'unmapped', undefined],
        ['/gone', 'missing', undefined],
      ],
    })
  }
})

test('a server that is spoken to over HTTP is told nothing of this machine without a mapping, except what was given for it', async () => {
  expect(await seen(open(remote, { given: [{ path: '/home/u/notes' }] }))).toEqual({
    list: [{ uri: 'file:///home/u/notes' }],
    states: [
      ['/home/u/notes', 'ok', 'file:///home/u/notes'],
      ['/home/u/app', 'unmapped', undefined],
      ['/srv', 'unmapped', undefined],
      ['/gone', 'missing', undefined],
    ],
  })
})

test('a mapping that is edited while the server runs changes its list', async () => {
  let mappings: readonly RootMapping[] = []
  const list = new RootList({ disk, configured: new Map([['*', [{ path: '/home/u/app' }]]]), debounce: 1 })
  const roots = list.open(remote, { mappings: () => mappings })
  const before = await roots.list()
  const changed = new Promise<void>((resolve) => roots.on('changed', resolve))
  mappings = mapping
  list.update(new Map([['*', [{ path: '/home/u/app' }]]]))
  await changed

  expect([before, await roots.list()]).toEqual([[], [{ uri: 'file:///workspace/app' }]])
  list.close()
})

test('nobody is asked about folders that the server could not be told; where some are mapped, both spellings are shown', async () => {
  const origin: Origin = { server: remote, connection: 'c1', era: 'modern', revision: '2026-07-28' }
  const shown: unknown[] = []
  const reviewer: Reviewer = {
    canReview: () => true,
    review: async ({ subject }) => {
      shown.push(subject)
      return { outcome: 'decided', by: 'person', decision: { action: 'deny' } } as never
    },
  }
  const ask = (options: OpenRootsOptions): Promise<unknown> =>
    listRoots(
      { kind: 'roots', params: undefined, revision: '2026-07-28' },
      origin,
      {
        roots: new RootList({ disk }).open(remote, options),
        policy: { decide: () => ({ outcome: 'ask' }) },
        reviewer,
        propose: () => [{ path: '/home/u/app' }, { path: '/srv' }],
      },
      new AbortController().signal,
    )

  expect(await ask({})).toMatchObject({ result: { roots: [] }, by: 'none' })
  expect(shown).toEqual([])
  await ask({ mappings: () => mapping })
  expect(shown).toMatchObject([
    {
      proposed: [
        { path: '/home/u/app', status: 'ok', uri: 'file:///workspace/app' },
        { path: '/srv', status: 'unmapped', reason: { key: 'folder-unmapped' } },
      ],
    },
  ])
})
