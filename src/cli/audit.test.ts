import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { AuditLog, type AuditEntry } from '../audit/index.ts'
import { openStore } from '../store/index.ts'
import { runAudit } from './audit.ts'

/** The list as it is written for people, of a log with these entries. */
async function list(...entries: readonly AuditEntry[]): Promise<readonly string[]> {
  const home = mkdtempSync(join(tmpdir(), 'consentry-audit-list-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const store = await openStore({ file: join(home, 'consentry.db') })
  const log = new AuditLog({ store, anchorFile: join(home, 'audit.head'), now: () => Date.UTC(2026, 10, 30) })
  for (const entry of entries) await log.append(entry)
  await store.close()
  const stdout = new PassThrough()
  const place = { environment: { CONSENTRY_HOME: home }, cwd: home, platform: process.platform, interrupted: new AbortController().signal }
  await runAudit('list', {}, { ...place, stdin: new PassThrough(), stdout, stderr: new PassThrough() })
  return String(stdout.read()).trimEnd().split('\n')
}

test('what a limit refused is said to be refused by that limit, and never by a person or a rule', async () => {
  const answered = { event: 'answered', question: 'q1', request: 'sampling', server: 'travel', connection: 'c1', outcome: 'refused' } as const
  const limit = { limit: 'tokensPerDay', scope: 'server', allowed: 130, remaining: 95 }
  const lines = await list(
    { ...answered, by: 'rule', error: 'LIMIT_REACHED', facts: { ...limit, said: 'wait' } },
    { ...answered, by: 'rule', error: 'LIMIT_REACHED', facts: { limit: 'toolRounds', allowed: 25, remaining: 0 } },
    { ...answered, by: 'person', error: 'LIMIT_REACHED', facts: { ...limit, said: 'stop' } },
    { ...answered, by: 'rule', error: 'SAMPLING_DENIED', facts: { rule: 'rules[0]' } },
  )

  expect(lines.map((line) => line.split('  ').at(-1))).toEqual([
    'answered: refused by a limit (tokensPerDay 130, 95 left; wait)',
    'answered: refused by a limit (toolRounds 25, 0 left)',
    'answered: refused by person',
    'answered: refused by rule',
  ])
})

test.each([
  ['list', {}, ''],
  ['list', { json: true }, '[]\n'],
  ['export', {}, ''],
  ['verify', {}, '0 entries, none altered or missing\n'],
] as const)('%s %j of a folder without a log says so on stderr, and makes nothing there', async (action, options, out) => {
  const home = join(tmpdir(), 'consentry-no-such-state')
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const place = { environment: { CONSENTRY_HOME: home }, cwd: '/', platform: process.platform, interrupted: new AbortController().signal }
  const code = await runAudit(action, options, { ...place, stdin: new PassThrough(), stdout, stderr })

  expect([code, String(stdout.read() ?? ''), String(stderr.read() ?? ''), existsSync(home)]).toEqual([
    0,
    out,
    action === 'verify' ? '' : `consentry: nothing is in the log of ${home}: no server has asked anything there yet\n`,
    false,
  ])
})
