import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { emptyConfig, type Config } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { openDesk } from './open-desk.ts'
import type { Place } from './place.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const current: Config = { ...emptyConfig, rules: [{ server: 'travel', request: 'roots', decision: 'allow' }] }

test.each([
  ['that can be read', undefined, 'allow', 0],
  ['that could be read no more while the desk was put together', new ConsentryError('CONFIG_INVALID', 'config.jsonc is gone'), 'ask', 1],
])('what a config allows %s', async (_, broken, outcome, said) => {
  const home = mkdtempSync(join(tmpdir(), 'open-desk-'))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { CONSENTRY_HOME: home, HOME: home }
  const place: Place = { environment, cwd: home, platform: process.platform, interrupted: new AbortController().signal, stdin, stdout, stderr }
  const notices: string[] = []
  const opened = await openDesk({ config: { current, broken, on: () => () => undefined }, roots: [], notice: (sentence) => notices.push(sentence) }, place)
  onTestFinished(async () => {
    await opened.close()
    rmSync(home, { recursive: true })
  })

  expect([opened.rooms.policy.decide({ kind: 'roots', origin: { server: travel } }).outcome, notices.length]).toEqual([outcome, said])
})
