import { mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStore, recordFiles, type RecordFiles, type Store } from '../store/index.ts'
import type { AuditEntry } from './audit-entry.ts'
import { AuditLog } from './audit.ts'

const asked: AuditEntry = { event: 'asked', question: 'q1', request: 'elicitation', mode: 'form', server: 'travel', connection: 'c1' }

let folder: string
let anchorFile: string
let store: Store
let audit: AuditLog
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-audit-'))
  anchorFile = join(folder, 'audit.head')
  store = await openStore({ file: join(folder, 'consentry.db') })
  audit = openLog()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const openLog = (files?: RecordFiles): AuditLog => new AuditLog({ store, anchorFile, now: () => Date.UTC(2026, 10, 29), ...(files && { files }) })

function fail(): never {
  throw new Error('no disk')
}

/** Until they are anchored too. */
async function appendAll(...questions: readonly string[]): Promise<void> {
  for (const question of questions) await audit.append({ ...asked, question })
  await audit.close()
}

async function alter(position: number, entry: string): Promise<void> {
  await store.write((transaction) => transaction.updateTable('audit_entries').set({ entry }).where('position', '=', position).execute())
}

async function remove(from: number, to: number = from): Promise<void> {
  await store.write((transaction) => transaction.deleteFrom('audit_entries').where('position', '>=', from).where('position', '<=', to).execute())
}

test('entries are listed oldest first, with their time, place and hashes', async () => {
  await audit.append(asked)
  await audit.append({ ...asked, event: 'answered', by: 'person', outcome: 'accept', facts: { fields: ['seat'] }, unanswered: undefined })
  const [first, second] = await audit.list()
  expect([first, second]).toEqual([
    { ...asked, at: '2026-11-29T00:00:00.000Z', position: 1, previous: '0'.repeat(64), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    {
      ...asked,
      event: 'answered',
      by: 'person',
      outcome: 'accept',
      facts: { fields: ['seat'] },
      at: '2026-11-29T00:00:00.000Z',
      position: 2,
      previous: first?.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ])
})

test('a list can be read in pages, and the whole is exported', async () => {
  await appendAll('a', 'b', 'c', 'd')
  const page = await audit.list({ after: 1, limit: 2 })
  const all = []
  for await (const { question } of audit.export()) all.push(question)
  expect([page.map(({ question }) => question), all]).toEqual([
    ['b', 'c'],
    ['a', 'b', 'c', 'd'],
  ])
})

test('no secret is kept, in no text at any depth', async () => {
  await audit.append({ ...asked, server: 'password=hunter22', facts: { list: [{ 'pwd: hunter33': 'Authorization: Bearer abcdefghijklmnop' }] } })
  const rows = await store.read((database) => database.selectFrom('audit_entries').select('entry').execute())
  expect([rows[0]?.entry.includes('hunter'), rows[0]?.entry.includes('abcdefgh'), rows[0]?.entry.includes('[redacted:bearer]')]).toEqual([false, false, true])
})

test('what a server wrote without end is cut off', async () => {
  await audit.append({ ...asked, facts: { message: 'x'.repeat(1_000_000) } })
  const [record] = await audit.list()
  expect(JSON.stringify(record?.facts?.['message']).length).toBe(4_003)
})

test('a burst is written in the order in which it came', async () => {
  await Promise.all(Array.from({ length: 450 }, (_, index) => audit.append({ ...asked, question: String(index) })))
  const records = await audit.list({ limit: 1_000 })
  expect([records.map(({ question }) => Number(question)), await audit.verify()]).toEqual([
    Array.from({ length: 450 }, (_, index) => index),
    { ok: true, entries: 450 },
  ])
})

test.skipIf(process.platform === 'win32')('the anchor is for the user alone', async () => {
  await appendAll('a')
  expect((statSync(anchorFile).mode & 0o777).toString(8)).toBe('600')
})

test('an altered entry is named, for ever', async () => {
  await appendAll('a', 'b', 'c')
  await alter(2, '{"event":"forged"}')
  await appendAll('d')
  expect(await audit.verify()).toMatchObject({ ok: false, firstBad: 2, fault: 'altered' })
})

test('a tail that was cut off is named, for ever', async () => {
  await appendAll('a', 'b', 'c')
  await remove(2, 3)
  const before = await audit.verify()
  await appendAll('d', 'e')
  expect([before, await audit.verify()]).toMatchObject([
    { ok: false, firstBad: 2, fault: 'missing' },
    { ok: false, firstBad: 2, fault: 'missing' },
  ])
})

test('emptying the whole log is named, for ever', async () => {
  await appendAll('a', 'b')
  await remove(1, 2)
  await appendAll('c')
  expect(await audit.verify()).toMatchObject({ ok: false, firstBad: 1, fault: 'missing' })
})

test('a last entry that was replaced with all its hashes is named, for ever', async () => {
  await appendAll('a', 'b')
  const anchor = readFileSync(anchorFile, 'utf8')
  await remove(2)
  writeFileSync(anchorFile, JSON.stringify({ position: 1, hash: (await audit.list())[0]?.hash }))
  await appendAll('forged')
  writeFileSync(anchorFile, anchor)
  const before = await audit.verify()
  await appendAll('c')
  expect([before, await audit.verify()]).toMatchObject([
    { ok: false, firstBad: 2, fault: 'altered' },
    { ok: false, firstBad: 2, fault: 'altered' },
  ])
})

test.each([
  ['gone', () => unlinkSync(anchorFile)],
  ['damaged', () => writeFileSync(anchorFile, '{"position":')],
  ['no text', () => writeFileSync(anchorFile, Buffer.from([0x7b, 0xff]))],
])('an anchor that is %s is told, for ever', async (_, damage) => {
  await appendAll('a', 'b')
  damage()
  const before = await audit.verify()
  await appendAll('c')
  expect([before, await audit.verify()]).toMatchObject([
    { ok: false, firstBad: 3, fault: 'missing' },
    { ok: false, firstBad: 2, fault: 'altered' },
  ])
})

test('a crash between the entry and its anchor is no fault, and the next entry anchors both', async () => {
  await appendAll('a')
  const dying = openLog({ ...recordFiles, write: fail })
  await dying.append({ ...asked, question: 'b' })
  await dying.close()
  const afterCrash = await audit.verify()
  await appendAll('c')
  const later = await audit.verify()
  await remove(2, 3)
  expect([afterCrash, later, await audit.verify()]).toMatchObject([
    { ok: true, entries: 2 },
    { ok: true, entries: 3 },
    { ok: false, firstBad: 2, fault: 'missing' },
  ])
})

test('an entry that cannot be anchored is the last that is written until it can be', async () => {
  let fails = true
  const flaky = openLog({ ...recordFiles, write: (...record) => (fails ? fail() : recordFiles.write(...record)) })
  await appendAll('a')
  await flaky.append({ ...asked, question: 'b' })
  await flaky.close()
  const refused = expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }) as unknown
  const attempts = await Promise.allSettled([flaky.append({ ...asked, question: 'lost' }), flaky.tryWriting()])
  fails = false
  await flaky.append({ ...asked, question: 'c' })
  await flaky.close()
  await remove(3)
  expect([attempts, await audit.verify()]).toMatchObject([[{ reason: refused }, { reason: refused }], { ok: false, firstBad: 3, fault: 'missing' }])
})

test('what was acknowledged is anchored by the time the log is closed', async () => {
  await audit.append(asked)
  await Promise.all([audit.close(), audit.close()])
  expect(JSON.parse(readFileSync(anchorFile, 'utf8'))).toMatchObject({ position: 1 })
})

test('what was acknowledged is anchored with what follows it, or by itself a moment later, when whoever waited has gone on', async () => {
  const anchored: unknown[] = []
  const watched = openLog({
    ...recordFiles,
    write: (path, text) => {
      anchored.push((JSON.parse(text) as { position: number }).position)
      recordFiles.write(path, text)
    },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const question of ['a', 'b', 'c']) await watched.append({ ...asked, question })
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const before = [...anchored]
  vi.advanceTimersByTime(5)
  vi.useRealTimers()
  await vi.waitFor(() => expect(anchored.at(-1)).toBe(3))

  expect([before, anchored]).toEqual([
    [0, 1, 2],
    [0, 1, 2, 3],
  ])
})

test('a crash before the very first anchor leaves an empty log', async () => {
  const dying = openLog({ ...recordFiles, write: fail })
  await expect(dying.append(asked)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  expect(await audit.verify()).toEqual({ ok: true, entries: 0 })
})

test('where the anchor is gone and none can be made, nothing is written', async () => {
  await appendAll('a')
  const rootless = openLog({ ...recordFiles, read: () => undefined, write: fail })
  await expect(rootless.append(asked)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  expect(await audit.verify()).toEqual({ ok: true, entries: 1 })
})

test('after a failure the next entry is written', async () => {
  let fails = true
  const flaky = openLog({ ...recordFiles, read: (path) => (fails ? fail() : recordFiles.read(path)) })
  await expect(flaky.append(asked)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('no disk') })
  fails = false
  await flaky.append(asked)
  expect(await audit.verify()).toEqual({ ok: true, entries: 1 })
})

test('entries of one moment cost one writing', async () => {
  let writes = 0
  const counting = openLog({
    ...recordFiles,
    write: (path, text) => {
      writes += 1
      recordFiles.write(path, text)
    },
  })
  await counting.append(asked)
  await counting.close()
  const before = writes
  await Promise.all([counting.append(asked), Promise.resolve().then(() => counting.append({ ...asked, event: 'answered' }))])
  await counting.close()
  expect([writes - before, await audit.verify()]).toEqual([1, { ok: true, entries: 3 }])
})

test('two logs over the same file write one chain', async () => {
  const other = await openStore({ file: join(folder, 'consentry.db') })
  const second = new AuditLog({ store: other, anchorFile })
  await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? audit : second).append({ ...asked, question: String(index) })))
  const verification = await second.verify()
  await other.close()
  expect(verification).toEqual({ ok: true, entries: 20 })
})

test('an entry that is no entry any more is told, not guessed', async () => {
  await appendAll('a')
  await alter(1, 'no JSON')
  await expect(audit.list()).rejects.toMatchObject({ code: 'AUDIT_BROKEN', data: { position: 1 } })
})

test('a closed store is told as such', async () => {
  await store.close()
  await expect(audit.append(asked)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  await expect(audit.verify()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
})
