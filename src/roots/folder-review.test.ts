import { expect, test } from 'vitest'
import { describeDisk, type Disk } from '../paths/index.ts'
import type { Decision, FieldFault, Origin, Reviewer, ReviewRequest } from '../protocol/index.ts'
import { FolderReview } from './folder-review.ts'
import type { Proposal } from './root-entry.ts'
import { RootList } from './root-list.ts'
import type { ServerRoots } from './server-roots.ts'

const tree = { dirs: ['/w/app', '/w/lib', '/w/locked', '/home/u/docs', '/w/repo.git/objects', '/w/repo.git/refs'], files: ['/w/repo.git/HEAD'] }
const described = describeDisk({ ...tree, unreadable: ['/w/locked'] }, { platform: 'posix' })
const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'a test' } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}

/** Opens a review and hands its request to the test, which decides. */
async function review(
  decide: (request: ReviewRequest<'folders'>) => Promise<Decision<'folders'>>,
  { proposals = [], disk = described, isHeld = false }: { readonly proposals?: readonly Proposal[]; readonly disk?: Disk; readonly isHeld?: boolean } = {},
): Promise<ServerRoots> {
  const roots = new RootList({ disk, home: '/home/u' }).open(origin.server)
  const reviewer: Reviewer = {
    canReview: () => true,
    review: async (request) => ({ outcome: 'decided', by: 'person', decision: await decide(request as never) }) as never,
  }
  await new FolderReview(roots, isHeld).ask(proposals, origin, reviewer, new AbortController().signal)
  roots.close()
  return roots
}
async function faultsOf(decision: unknown): Promise<readonly FieldFault[]> {
  let faults: readonly FieldFault[] = []
  await review(async ({ check }) => {
    faults = await check!(decision as Decision<'folders'>)
    return { action: 'cancel' }
  })
  return faults
}

test('a grant is checked as it was typed: each folder that cannot be told is named, with the reason', async () => {
  expect(await faultsOf({ action: 'grant', roots: [{ path: '/w/app' }] })).toEqual([])
  expect(await faultsOf({ action: 'grant', roots: ['/w/app', '/w/gone', 'w', '/w/locked', '/w/repo.git'].map((path) => ({ path })) })).toMatchObject([
    { field: '/w/gone', problem: 'folder-missing' },
    { field: 'w', problem: 'folder-missing', message: 'The path is relative; write the whole path.' },
    { field: '/w/locked', problem: 'folder-denied' },
    { field: '/w/repo.git', problem: 'folder-denied', message: expect.stringContaining('git repository') },
  ])
})

test.each([[[{ path: 7 }]], [[null, '/w/app']], [[{ path: '/w/app', name: 1 }]], [Array.from({ length: 1001 }, () => ({ path: '/w/app' }))]])(
  'folders that cannot be read are one fault, and nothing is granted (%#)',
  async (roots) => {
    expect(await faultsOf({ action: 'grant', roots })).toMatchObject([{ field: 'roots', problem: 'folders-unreadable' }])
  },
)

test('a folder with a warning is granted only where a person has confirmed it', async () => {
  const unconfirmed = await faultsOf({ action: 'grant', roots: [{ path: '~' }, { path: '/home/u/docs' }] })

  expect(unconfirmed).toEqual([
    { field: '~', problem: 'folder-unconfirmed', facts: { warning: 'concern-home' }, message: 'This is your home folder: everything in it would be told.' },
  ])
  expect(await faultsOf({ action: 'grant', roots: [{ path: '~', confirmed: true }] })).toEqual([])
  expect(await faultsOf({ action: 'grant', roots: [{ path: '~', confirmed: 'yes' }] })).toHaveLength(1)
})

test('a folder that was put in the place of the one that was shown is not granted', async () => {
  let inode = 1
  const disk: Disk = {
    ...described,
    inspect: async (path) => (path === '/w/app' ? { kind: 'folder', identity: `8:${inode}`, device: '8' } : described.inspect(path)),
  }
  let faults: readonly FieldFault[] = []

  await review(
    async ({ check }) => {
      inode = 2
      faults = await check!({ action: 'grant', roots: [{ path: '/w/app' }] })
      return { action: 'cancel' }
    },
    { proposals: [{ path: '/w/app' }], disk },
  )

  expect(faults).toMatchObject([{ field: '/w/app', problem: 'folder-replaced' }])
})

test('what is granted is told from then on, under the name that it was given', async () => {
  const roots = await review(async ({ check }) => {
    const decision = { action: 'grant', roots: [{ path: '/w/app/../app', name: 'App' }, { path: '/w/lib' }] } as const
    await check!(decision)
    return decision
  })

  expect(await roots.list()).toEqual([{ uri: 'file:///w/app', name: 'App' }, { uri: 'file:///w/lib' }])
})

test.each(['deny', 'cancel'] as const)('%s grants nothing', async (action) => {
  expect(await (await review(async () => ({ action }), { proposals: [{ path: '/w/app' }] })).list()).toEqual([])
})

test('a folder that is not proposed can be looked at before it is chosen, and what was looked at is what is granted', async () => {
  let inode = 1
  const disk: Disk = {
    ...described,
    inspect: async (path) => (path === '/w/app' ? { kind: 'folder', identity: `8:${inode}`, device: '8' } : described.inspect(path)),
  }
  const seen: unknown[] = []
  let faults: readonly FieldFault[] = []
  await review(
    async ({ check, weigh }) => {
      for (const path of ['/w/app', '~', '/w/gone', 'w', '/w/repo.git']) seen.push(await weigh!(path))
      inode = 2
      faults = await check!({ action: 'grant', roots: [{ path: '/w/app' }] })
      return { action: 'cancel' }
    },
    { disk },
  )

  expect(seen).toMatchObject([
    { path: '/w/app', status: 'ok', uri: 'file:///w/app' },
    { path: '~', status: 'ok', warning: { key: 'concern-home' } },
    { path: '/w/gone', status: 'missing' },
    { path: 'w', status: 'missing', reason: { sentence: 'The path is relative; write the whole path.' } },
    { path: '/w/repo.git', status: 'denied' },
  ])
  expect(faults).toMatchObject([{ field: '/w/app', problem: 'folder-replaced' }])
})

test('the repository of a worktree is offered where the server is held to its folders, and let be read only where that was said of exactly that one', async () => {
  const described = describeDisk(
    {
      dirs: ['/w/main/.git/objects', '/w/main/.git/refs'],
      files: { '/w/main/.git/HEAD': '', '/w/tree/.git': 'gitdir: /w/main/.git/worktrees/t', '/w/main/.git/worktrees/t/gitdir': '/w/tree/.git' },
    },
    { platform: 'posix' },
  )
  const offered: unknown[] = []
  const grant = async (repository: string | undefined, isHeld: boolean): Promise<unknown> => {
    const roots = await review(
      async ({ subject, check }) => {
        offered.push(subject.proposed[0]!.offeredRepository)
        const decision = { action: 'grant', roots: [{ path: '/w/tree', ...(repository !== undefined && { repository }) }] } as const
        const [fault] = await check!(decision)
        return fault ? ({ action: 'cancel' } as const) : decision
      },
      { proposals: [{ path: '/w/tree' }], disk: described, isHeld },
    )
    return (await roots.terms()).map((terms) => terms.repository)
  }

  expect([await grant(undefined, true), await grant('/w/main/.git', true), await grant('/etc', true), await grant('/w/main/.git', false)]).toEqual([
    [undefined],
    ['/w/main/.git'],
    [],
    [],
  ])
  expect(offered).toEqual(['/w/main/.git', '/w/main/.git', '/w/main/.git', undefined])
})
