import { expect, test } from 'vitest'
import { reachServer } from './reach-server.ts'

const silent = ['-e', 'process.stdin.resume()']
const reach = (args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<unknown> =>
  reachServer({ kind: 'stdio', command: process.execPath, args, env: { https_proxy: 'p' } }, { waitMs: 500, environment, signal: new AbortController().signal })

test('a server that says nothing is given up, and one that may still be fetched is said to be', async () => {
  expect([await reach(silent), await reach([...silent, '/usr/bin/npx', '-y', 'some-server'])]).toEqual([
    { ok: false, why: 'it did not answer within 0.5 s (--wait gives it longer)', wantsSignIn: false },
    { ok: false, why: 'it did not answer within 0.5 s: npx may still be downloading it, so try again (--wait gives it longer)', wantsSignIn: false },
  ])
})

test('what this shell has for downloads, and the server did not get, is named', async () => {
  const environment = { NODE_EXTRA_CA_CERTS: '/ca.pem', https_proxy: 'p', npm_config_user_agent: 'npm', HOME: '/home/ada' }
  const without =
    'it was started as its client starts it, without NODE_EXTRA_CA_CERTS of this shell: what the download needs belongs into the "env" of its entry'
  expect([await reach([...silent, 'npx'], environment), await reach(silent, environment)]).toEqual([
    {
      ok: false,
      why: `it did not answer within 0.5 s: npx may still be downloading it, so try again (--wait gives it longer); ${without}`,
      wantsSignIn: false,
    },
    { ok: false, why: 'it did not answer within 0.5 s (--wait gives it longer)', wantsSignIn: false },
  ])
})
