import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { describeDisk } from '../paths/index.ts'
import type { Ruling } from '../policy/index.ts'
import type { InputRequest, InputResponse, Origin, Reviewer, ReviewRequest, Settlement } from '../protocol/index.ts'
import { RootList } from './root-list.ts'
import { listRoots, type RootsNeeds } from './roots.ts'

const disk = describeDisk({ dirs: ['/w/app', '/w/lib', '/w/locked'], unreadable: ['/w/locked'] }, { platform: 'posix' })
const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'a test' } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}
const request: InputRequest = { kind: 'roots', params: undefined, revision: '2025-11-25' }
const never = new AbortController().signal

type Folders = ReviewRequest<'folders'>
/** A person, or a script, who settles every review of folders in one way. */
function reviewerWho(
  settle: (request: Folders) => Settlement<'folders'> | Promise<Settlement<'folders'>>,
  isThere = true,
): Reviewer & { readonly asked: Folders[] } {
  const asked: Folders[] = []
  return {
    asked,
    canReview: () => isThere,
    review: async (review) => {
      asked.push(review as unknown as Folders)
      return (await settle(review as unknown as Folders)) as never
    },
  }
}
/** As the inbox and the script do: what has faults is not decided. */
function grants(...paths: readonly string[]): (request: Folders) => Promise<Settlement<'folders'>> {
  return async ({ check }) => {
    const decision = { action: 'grant', roots: paths.map((path) => ({ path })) } as const
    const faults = (await check?.(decision)) ?? []
    return faults.length > 0 ? { outcome: 'unfit', faults } : { outcome: 'decided', by: 'person', decision }
  }
}
const nobody = reviewerWho(() => ({ outcome: 'nobody' }), false)

async function ask(needs: Partial<RootsNeeds> & { readonly given?: readonly string[]; readonly ruling?: Ruling }, params?: unknown): Promise<InputResponse> {
  const { given = [], ruling = { outcome: 'ask' }, ...rest } = needs
  const list = new RootList({ disk })
  const roots = list.open(origin.server, { given: given.map((path) => ({ path })) })
  try {
    return await listRoots({ ...request, params }, origin, { roots, policy: { decide: () => ruling }, reviewer: nobody, ...rest }, never)
  } finally {
    list.close()
  }
}
function seen(response: InputResponse): unknown {
  if (response.outcome === 'refused') return response.error.code
  if (response.outcome === 'withdrawn') return response.outcome
  return { roots: (response.result['roots'] as { uri: string }[]).map(({ uri }) => uri), by: response.by, unanswered: response.unanswered }
}
const empty = (by: string, unanswered?: string): unknown => ({ roots: [], by, unanswered })

test.each([undefined, null, {}, { _meta: { progressToken: 3 } }])('roots/list with the parameters %j gets what was consented to, by rule', async (params) => {
  expect(await ask({ given: ['/w/app', '/w/gone', '/w/locked', '/w/lib'] }, params)).toEqual({
    outcome: 'answered',
    result: { roots: [{ uri: 'file:///w/app' }, { uri: 'file:///w/lib' }] },
    by: 'rule',
    facts: { roots: ['file:///w/app', 'file:///w/lib'] },
  })
})

test.each([[[]], ['text'], [7]])('roots/list with the parameters %j is refused', async (params) => {
  expect(seen(await ask({ given: ['/w/app'] }, params))).toBe('PROTOCOL_VIOLATION')
})

test('a deny rule comes before everything else', async () => {
  const response = await ask({
    given: ['/w/app'],
    ruling: { outcome: 'deny', rule: 'rules[0]' },
    reviewedBy: 'script',
    reviewer: reviewerWho(grants('/w/app')),
  })

  expect(response).toMatchObject({ result: { roots: [] }, by: 'rule', facts: { rule: 'rules[0]' } })
})

test('where nothing was consented to and nothing is proposed, the list is empty and nobody is missed', async () => {
  const reviewer = reviewerWho(grants('/w/app'))

  expect([seen(await ask({ reviewer })), reviewer.asked]).toEqual([empty('none'), []])
})

test('nobody is asked about folders that are not there', async () => {
  const reviewer = reviewerWho(grants('/w/app'))

  expect([seen(await ask({ reviewer, proposals: [{ path: '/w/gone' }] })), reviewer.asked]).toEqual([empty('none'), []])
})

test('an allow rule never makes up folders', async () => {
  expect(seen(await ask({ ruling: { outcome: 'allow', rule: 'rules[0]' }, proposals: [{ path: '/w/app' }], reviewer: reviewerWho(grants('/w/app')) }))).toEqual(
    empty('rule'),
  )
})

test('nobody is asked where something was consented to', async () => {
  const reviewer = reviewerWho(grants('/w/lib'))

  expect([seen(await ask({ given: ['/w/gone'], proposals: [{ path: '/w/lib' }], reviewer })), reviewer.asked]).toEqual([empty('rule'), []])
})

test('a person sees the folders that are there, and what they grant is told and remembered', async () => {
  const reviewer = reviewerWho(grants('/w/../w/lib'))
  const remembered: unknown[] = []

  const response = await ask({
    proposals: [{ path: '/w/app', name: 'App' }, { path: '/w/gone' }, { path: '/w/locked' }],
    reviewer,
    remember: (entries) => Promise.resolve(void remembered.push(entries)),
  })

  expect(reviewer.asked.map(({ subject }) => subject)).toEqual([{ proposed: [{ path: '/w/app', name: 'App', status: 'ok', uri: 'file:///w/app' }] }])
  expect(seen(response)).toEqual({ roots: ['file:///w/lib'], by: 'person', unanswered: undefined })
  expect(remembered).toEqual([[{ path: '/w/../w/lib' }]])
})

test('a grant is checked as it was typed: each folder that cannot be told is named, with the reason', async () => {
  const reviewer = reviewerWho(() => ({ outcome: 'decided', by: 'person', decision: { action: 'cancel' } }))
  await ask({ proposals: [{ path: '/w/app' }], reviewer })
  const check = (roots: unknown): unknown => reviewer.asked[0]!.check!({ action: 'grant', roots } as never)

  expect(await check([{ path: '/w/app' }])).toEqual([])
  expect(await check([{ path: '/w/app' }, { path: '/w/gone' }, { path: 'w' }, { path: '/w/locked' }])).toMatchObject([
    { field: '/w/gone', problem: 'folder-missing' },
    { field: 'w', problem: 'folder-missing', message: 'The path is relative; write the whole path.' },
    { field: '/w/locked', problem: 'folder-denied' },
  ])
  expect(await check([{ path: 7 }])).toMatchObject([{ field: 'roots' }])
  expect(await check([null, '/w/app'])).toMatchObject([{ field: 'roots' }])
})

test.each<[Settlement<'folders'>, unknown]>([
  [{ outcome: 'decided', by: 'person', decision: { action: 'deny' } }, empty('person')],
  [{ outcome: 'decided', by: 'person', decision: { action: 'cancel' } }, empty('person')],
  [{ outcome: 'nobody' }, empty('none')],
  [{ outcome: 'timed-out' }, empty('none', 'timed-out')],
  [{ outcome: 'desk-closed' }, empty('none', 'desk-closed')],
  [{ outcome: 'too-many-waiting' }, empty('none', 'too-many-waiting')],
  [{ outcome: 'withdrawn', reason: 'the asker is gone' }, 'withdrawn'],
])('a review that ended with %j tells nothing', async (settlement, expected) => {
  expect(seen(await ask({ proposals: [{ path: '/w/app' }], reviewer: reviewerWho(() => settlement) }))).toEqual(expected)
})

test('a script is always asked, and shown what was configured', async () => {
  const reviewer = reviewerWho(grants('/w/lib'))

  const response = await ask({ given: ['/w/app'], reviewedBy: 'script', reviewer })

  expect(reviewer.asked.map(({ subject }) => subject.proposed.map(({ path }) => path))).toEqual([['/w/app']])
  expect(seen(response)).toMatchObject({ roots: ['file:///w/lib'] })
})

test('a script that grants what was configured grants what of it is there', async () => {
  const reviewer = reviewerWho((review) => grants(...review.subject.proposed.map(({ path }) => path))(review))

  expect(seen(await ask({ given: ['/w/app', '/w/gone'], reviewedBy: 'script', reviewer }))).toMatchObject({ roots: ['file:///w/app'] })
})

test('a script that grants what is not there is no answer', async () => {
  expect(seen(await ask({ given: ['/w/app'], reviewedBy: 'script', reviewer: reviewerWho(grants('/w/gone')) }))).toEqual(empty('none', 'answer-does-not-fit'))
})

test('what a script does not answer gets what was configured, by rule', async () => {
  expect(seen(await ask({ given: ['/w/app'], reviewedBy: 'script' }))).toEqual({ roots: ['file:///w/app'], by: 'rule', unanswered: undefined })
  expect(seen(await ask({ reviewedBy: 'script' }))).toEqual(empty('none'))
})

test('what goes wrong within is one internal error, never a rejection', async () => {
  const policy = {
    decide: (): Ruling => {
      throw new Error('out of memory')
    },
  }

  expect(seen(await ask({ policy }))).toBe('INTERNAL')
  expect(await ask({ policy })).toMatchObject({ error: expect.any(ConsentryError) })
})
