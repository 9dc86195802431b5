import { afterEach, beforeEach, expect, test } from 'vitest'
import { GuardedServer } from '../../test/fixtures/guarded-server.ts'
import { systemClock } from './clock.ts'
import { HttpTransport } from './http-transport.ts'
import { OAuthAccess, type SignInNeeds } from './oauth-access.ts'

let guarded: GuardedServer
let pages: URL[]
let kept: string | undefined
/** What the browser comes back with, by the state in the page. */
let bringBack: (page: URL) => Record<string, string>
beforeEach(async () => {
  guarded = new GuardedServer()
  await guarded.start()
  pages = []
  kept = undefined
  bringBack = (page) => ({ code: 'code', state: page.searchParams.get('state')! })
})
afterEach(() => guarded.close())

const needs = (): SignInNeeds => ({
  secrets: {
    read: () => Promise.resolve(kept),
    write: (text) => {
      kept = text
      return Promise.resolve()
    },
  },
  listen: (url) =>
    Promise.resolve({
      url: url ?? 'http://127.0.0.1:1234/callback',
      wait: () => Promise.resolve(new URLSearchParams(bringBack(pages.at(-1)!))),
      close: () => undefined,
    }),
  show: (page) => pages.push(new URL(page)),
  newSecret: () => 'a-secret-state',
  clock: systemClock,
})

async function ask(access: OAuthAccess): Promise<void> {
  const transport = new HttpTransport({ url: `${guarded.origin}/mcp`, headers: { 'x-secret': 'for the server alone' }, access })
  await transport.start()
  try {
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  } finally {
    await transport.close()
  }
}

test('a person signs in once: everything after that goes with the token, also in the next run', async () => {
  const access = new OAuthAccess(needs())
  await Promise.all([ask(access), ask(access)])
  await ask(new OAuthAccess(needs()))
  const { searchParams } = pages[0]!

  expect([pages.length, guarded.registered.length, guarded.grants]).toEqual([1, 1, ['authorization_code']])
  expect(['state', 'redirect_uri', 'code_challenge_method', 'scope', 'resource'].map((name) => searchParams.get(name))).toEqual([
    'a-secret-state',
    'http://127.0.0.1:1234/callback',
    'S256',
    'tools',
    `${guarded.origin}/mcp`,
  ])
  expect([guarded.seen.at(-1), guarded.leaked]).toEqual(['token-1', []])
})

test('a token that is over is refreshed without a word; where that is refused, a person signs in again', async () => {
  await ask(new OAuthAccess(needs()))
  guarded.valid.clear()
  await ask(new OAuthAccess(needs()))
  const afterRefresh = pages.length
  guarded.valid.clear()
  guarded.refusesRefresh = true
  await ask(new OAuthAccess(needs()))

  expect([afterRefresh, pages.length, guarded.grants]).toEqual([1, 2, ['authorization_code', 'refresh_token', 'refresh_token', 'authorization_code']])
})

test.each([
  ['the person refuses', () => (bringBack = () => ({ error: 'access_denied' })), 'The sign-in was refused: access_denied'],
  [
    'the page is not https',
    () => (guarded.authorizationPage = 'http://login.example/authorize'),
    'The server wants somebody to sign in at an address that is not https: http://login.example',
  ],
])('nobody gets in, and the reason is said: %s', async (_, arrange, message) => {
  arrange()
  await expect(ask(new OAuthAccess(needs()))).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE', message })
})
