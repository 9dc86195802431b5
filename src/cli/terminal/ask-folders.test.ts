import { expect, test } from 'vitest'
import type { Decision, ProposedFolder, Review } from '../../protocol/index.ts'
import { askFolders } from './ask-folders.ts'
import type { FaultyDecision } from './asking.ts'
import { scriptPrompts, type Typed } from './scripted-prompts.ts'

const shared = { key: 'concern-shared', sentence: 'This folder is shared.' }
const known: Readonly<Record<string, ProposedFolder>> = {
  '/w/notes': { path: '/w/notes', status: 'ok', uri: 'file:///w/notes' },
  '/w/app': { path: '/w/app', status: 'ok', uri: 'file:///workspace/app' },
  '/w/tree': { path: '/w/tree', status: 'ok', uri: 'file:///w/tree', offeredRepository: '/w/main/.git' },
  '/w/clients': { path: '/w/clients', status: 'ok', uri: 'file:///w/clients', warning: shared },
}
const gone: ProposedFolder = {
  path: '/w/gone',
  status: 'missing',
  reason: { key: 'folder-missing', sentence: 'There is no such folder; it is told as soon as it is there.' },
}
const proposed: readonly ProposedFolder[] = ['/w/trips', '/w/flights'].map((path) => ({ path, status: 'ok', uri: `file://${path}` }))

interface Holding {
  readonly isHeld?: boolean
  readonly saysHeld?: boolean
}

interface Asked {
  readonly decision: Decision<'folders'>
  readonly shown: string
  /** What was marked when each menu of folders was shown. */
  readonly marked: readonly (readonly string[])[]
  /** Nothing of what was typed was left over. */
  readonly isThrough: boolean
}

async function ask(typed: readonly Typed[], before?: FaultyDecision, { isHeld, saysHeld }: Holding = {}): Promise<Asked> {
  const { prompts, shown, left } = scriptPrompts(typed)
  const marked: (readonly string[])[] = []
  const origin = {
    server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } },
    connection: 'c',
    era: 'legacy',
    revision: '2025-11-25',
    saysHeld,
  }
  const weigh = async (path: string): Promise<ProposedFolder> => known[path] ?? { ...gone, path }
  const decision = await askFolders({ kind: 'folders', id: 'r', origin, subject: { proposed, isHeld }, weigh } as unknown as Review<'folders'>, {
    prompts: { ...prompts, pick: (question, choices, options) => (marked.push(options.initial), prompts.pick(question, choices, options)) },
    matchPattern: () => Promise.reject(new Error('nothing is matched here')),
    openUrl: () => Promise.reject(new Error('nothing is opened here')),
    onChanged: () => () => undefined,
    signal: new AbortController().signal,
    server: 'travel',
    before,
  })
  return { decision, shown: shown.join('\n'), marked, isThrough: left.length === 0 }
}

test.each<[string, Holding]>([
  ['It is only told: this does not keep it out of other folders.', {}],
  ['It is held to it (sandbox): the operating system keeps it out of everything else.', { isHeld: true }],
  ['The wrap that started it says that it is held to it (sandbox); this cannot be checked here.', { isHeld: true, saysHeld: true }],
])('what a yes to folders keeps the server from is said: %s', async (sentence, holding) => {
  const { shown } = await ask([['0'], 'run'], undefined, holding)

  expect(shown).toContain(`node travel.js\n${sentence}\n`)
})

test('a folder that is typed is looked at at once: what is not there is said where it stands, and nothing that was marked is lost', async () => {
  const { decision, shown, isThrough } = await ask([['1', 'other'], '/w/gone', '/w/notes', '', 'run'])

  expect(shown).toContain('/w/gone: There is no such folder or file, so that it cannot be told. Another one?')
  expect(shown).not.toContain('as soon as it is there')
  expect([decision, isThrough]).toEqual([{ action: 'grant', roots: [{ path: '/w/flights' }, { path: '/w/notes' }] }, true])
})

test('what there is to mind about a folder that is typed is confirmed there, or it is left out', async () => {
  const taken = await ask([['other'], '/w/clients', 'yes', '', 'run'])
  const left = await ask([['0', 'other'], '/w/clients', 'no', '', 'run'])
  const closed = await ask([['0', 'other'], '/w/clients', undefined])

  expect(taken.shown).toContain('/w/clients\n  it would see file:///w/clients\n  ! This folder is shared.')
  expect([taken, left, closed].map(({ decision }) => decision)).toEqual([
    { action: 'grant', roots: [{ path: '/w/clients', confirmed: true }] },
    { action: 'grant', roots: [{ path: '/w/trips' }] },
    { action: 'cancel' },
  ])
})

test('a folder that the server knows by another name is shown under both, and one that it knows by ours under one', async () => {
  const { shown } = await ask([['0', 'other'], '/w/app', '', 'run'])

  expect(shown).toContain('/w/app\n  it would see file:///workspace/app')
  expect(shown).toContain('This will be told to travel: file:///w/trips\nfile:///workspace/app\n  here: /w/app')
})

test('whoever goes back to the folders finds all that was marked and typed before, still marked', async () => {
  const { decision, marked, shown } = await ask([['1', 'other'], '/w/notes', '', 'again', ['0', '2'], 'run'])

  expect(marked).toEqual([[], ['1', '2']])
  expect(shown).toContain('[/w/trips | /w/flights | /w/notes | Another folder]')
  expect(decision).toEqual({ action: 'grant', roots: [{ path: '/w/trips' }, { path: '/w/notes' }] })
})

test('where a decision could not be taken, what was marked in it and is still there is marked again', async () => {
  const before: FaultyDecision = {
    decision: { action: 'grant', roots: [{ path: '/w/flights' }, { path: '/w/notes' }, { path: '/w/gone' }] },
    faults: [{ field: '/w/gone', problem: 'folder-missing', message: 'There is no such folder.' }],
  }
  const { decision, marked } = await ask([['1', '2'], 'run'], before)

  expect([marked, decision]).toEqual([[['1', '2']], { action: 'grant', roots: [{ path: '/w/flights' }, { path: '/w/notes' }] }])
})

test('a folder that is typed twice, or was offered all along, is told once', async () => {
  const { decision } = await ask([['other'], '/w/notes', '/w/notes', '', 'run'])

  expect(decision).toEqual({ action: 'grant', roots: [{ path: '/w/notes' }] })
})

test('the repository of a folder is let be read only where that is said, and what was said stands beside what is told', async () => {
  const [yes, no, closed] = [
    await ask([['other'], '/w/tree', '', 'yes', 'run']),
    await ask([['other'], '/w/tree', '', 'no', 'run']),
    await ask([['other'], '/w/tree', '', undefined]),
  ]

  expect([yes, no, closed].map(({ decision }) => decision)).toEqual([
    { action: 'grant', roots: [{ path: '/w/tree', repository: '/w/main/.git' }] },
    { action: 'grant', roots: [{ path: '/w/tree' }] },
    { action: 'cancel' },
  ])
  expect([yes.shown.includes('it may also read /w/main/.git'), no.shown.includes('it may also read')]).toEqual([true, false])
})
