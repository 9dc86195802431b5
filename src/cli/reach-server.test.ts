import { expect, test } from 'vitest'
import { reachServer } from './reach-server.ts'

const silent = ['-e', 'process.stdin.resume()']
const reach = (args: readonly string[]): Promise<unknown> =>
  reachServer({ kind: 'stdio', command: process.execPath, args, env: {} }, { waitMs: 500, signal: new AbortController().signal })

test('a server that says nothing is given up, and one that may still be fetched is said to be', async () => {
  expect([await reach(silent), await reach([...silent, '/usr/bin/npx', '-y', 'some-server'])]).toEqual([
    { ok: false, why: 'it did not answer within 0.5 s (--wait gives it longer)', wantsSignIn: false },
    { ok: false, why: 'it did not answer within 0.5 s: npx may still be downloading it, so try again (--wait gives it longer)', wantsSignIn: false },
  ])
})
