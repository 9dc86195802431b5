import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { describeDisk } from '../paths/index.ts'
import type { Ruling } from '../policy/index.ts'
import type { InputRequest, InputResponse, Origin, Reviewer, ReviewRequest, Settlement } from '../protocol/index.ts'
import { RootList } from './root-list.ts'
import { rootPhrase } from './root-phrase.ts'
import { listRoots, type RootsNeeds } from './roots.ts'

const disk = describeDisk({ dirs: ['/w/app', '/w/lib', '/w/locked', '/etc/app', '/proc/self'], unreadable: ['/w/locked'] }, { platform: 'posix' })
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
    // For whoever holds a server to them.
    terms: ['/w/app', '/w/lib'].map((path) => ({ path, identity: expect.any(String) as string })),
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

test('where nobody is there, nothing more is told, and nobody is missed', async () => {
  expect([seen(await ask({})), seen(await ask({ propose: () => [{ path: '/w/app' }] })), seen(await ask({ given: ['/w/app'] }))]).toEqual([
    empty('none'),
    empty('none'),
    { roots: ['file:///w/app'], by: 'rule', unanswered: undefined },
  ])
})

test('where nothing is proposed a person is asked all the same: they may know a folder', async () => {
  const reviewer = reviewerWho(grants('/w/lib'))

  expect(seen(await ask({ reviewer }))).toEqual({ roots: ['file:///w/lib'], by: 'person', unanswered: undefined })
  expect(reviewer.asked.map(({ subject }) => subject)).toEqual([{ proposed: [] }])
})

test('an allow rule never makes up folders', async () => {
  const reviewer = reviewerWho(grants('/w/app'))

  expect(seen(await ask({ ruling: { outcome: 'allow', rule: 'rules[0]' }, propose: () => [{ path: '/w/app' }], reviewer }))).toEqual(empty('rule'))
  expect(reviewer.asked).toEqual([])
})

test('nobody is asked where something was consented to', async () => {
  const reviewer = reviewerWho(grants('/w/lib'))

  expect([seen(await ask({ given: ['/w/gone'], propose: () => [{ path: '/w/lib' }], reviewer })), reviewer.asked]).toEqual([empty('rule'), []])
})

test('a person sees which folders, why, what the server would see and what there is to warn of; what is never told is not offered', async () => {
  const reviewer = reviewerWho(grants('/w/../w/lib'))

  const response = await ask({
    propose: () => [
      { path: '/w/app', name: 'App', why: rootPhrase('holds-evidence', { files: ['.git'] }) },
      { path: '/w/gone' },
      { path: '/etc/app' },
      { path: '/proc/self' },
      { path: '/' },
    ],
    reviewer,
  })

  expect(reviewer.asked.map(({ subject }) => subject.proposed)).toEqual([
    [
      {
        path: '/w/app',
        name: 'App',
        status: 'ok',
        uri: 'file:///w/app',
        why: { key: 'holds-evidence', facts: { files: ['.git'] }, sentence: 'It holds .git.' },
      },
      { path: '/w/gone', status: 'missing', uri: 'file:///w/gone', reason: { key: 'folder-missing', sentence: expect.stringContaining('no such folder') } },
      { path: '/etc/app', status: 'ok', uri: 'file:///etc/app', warning: { key: 'concern-system', sentence: 'This folder belongs to the system.' } },
    ],
  ])
  expect(seen(response)).toEqual({ roots: ['file:///w/lib'], by: 'person', unanswered: undefined })
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
  expect(seen(await ask({ propose: () => [{ path: '/w/app' }], reviewer: reviewerWho(() => settlement) }))).toEqual(expected)
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
