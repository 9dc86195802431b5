import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keyring } from './keyring.ts'
import type { Place } from './place.ts'
import { hasSignedIn, listenForReturn, signInAt } from './sign-in.ts'

let home: string
let place: Place
const notices: string[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'consentry-sign-in-'))
  place = { environment: { CONSENTRY_HOME: home }, cwd: home, platform: process.platform } as unknown as Place
  notices.length = 0
})
afterEach(() => rmSync(home, { recursive: true }))

const notice = (sentence: string): void => void notices.push(sentence)
const noKeyring = (): Promise<Keyring> => Promise.reject(new Error('none'))

test('the browser that brings the right state is heard; whoever else comes is sent away', async () => {
  const back = await listenForReturn(undefined)
  const waiting = back.wait('right', new AbortController().signal)
  const visit = async (query: string): Promise<number> => (await fetch(`${back.url}?${query}`)).status
  const statuses = [await visit('state=wrong&code=stolen'), await visit('code=stolen'), await visit('state=right&code=mine')]
  const brought = await waiting
  back.close()
  back.close()

  expect([statuses, brought.get('code'), new URL(back.url).hostname]).toEqual([[404, 404, 200], 'mine', '127.0.0.1'])
})

test('the browser comes back to the same address as before, where that is free', async () => {
  const first = await listenForReturn(undefined)
  const other = await listenForReturn(first.url)
  first.close()
  other.close()
  const again = await listenForReturn(other.url)
  again.close()

  expect([other.url === first.url, again.url]).toEqual([false, other.url])
})

test('nobody comes back: the waiting ends with its signal', async () => {
  const back = await listenForReturn(undefined)
  const giveUp = new AbortController()
  const waiting = back.wait('s', giveUp.signal)
  giveUp.abort()

  await expect(waiting).rejects.toThrow('nobody came back')
  back.close()
})

test('tokens are kept in the keyring, by server', async () => {
  const kept = new Map<string, string>()
  const keyring: Keyring = {
    read: (name) => Promise.resolve(kept.get(name)),
    write: (name, key) => Promise.resolve(void kept.set(name, key)),
    remove: () => Promise.resolve(false),
  }
  const { secrets } = signInAt('https://a.example/mcp', place, { notice, keyring: () => Promise.resolve(keyring) })
  await secrets.write('a token')

  expect([await secrets.read(), [...kept.keys()], notices]).toEqual(['a token', ['oauth https://a.example/mcp'], []])
})

test('without a keyring they are kept in a file for the user alone, and that is said', async () => {
  const [one, other] = ['https://a.example/mcp', 'https://b.example/mcp'].map((url) => signInAt(url, place, { notice, keyring: noKeyring }).secrets)
  const before = await one!.read()
  await one!.write('a token')
  await other!.write('another')
  const file = join(home, 'tokens.json')

  expect([before, await one!.read(), await other!.read(), readFileSync(file, 'utf8').endsWith('\n')]).toEqual([undefined, 'a token', 'another', true])
  expect(notices[0]).toBe(`there is no keyring that works here: the token is kept in ${file}, for you alone`)
  if (process.platform !== 'win32') expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})

test('the page is said, and opened', () => {
  const opened: string[] = []
  const { show } = signInAt('https://a.example/mcp', place, { notice, openPage: (page) => Promise.resolve(opened.push(page)) })
  show('https://login.example/?a=b')

  expect([opened, notices]).toEqual([
    ['https://login.example/?a=b'],
    ['this server wants somebody to sign in. If no browser opens, visit: https://login.example/?a=b'],
  ])
})

test('whether somebody has signed in is known from the tokens that are kept, not from a visit that came to nothing', async () => {
  const [signedIn, gaveUp] = ['https://a.example/mcp', 'https://b.example/mcp']
  const parts = { notice, keyring: noKeyring }
  await signInAt(signedIn, place, parts).secrets.write(JSON.stringify({ tokens: { access_token: 't' }, returnUrl: 'http://127.0.0.1:1/callback' }))
  await signInAt(gaveUp, place, parts).secrets.write(JSON.stringify({ returnUrl: 'http://127.0.0.1:1/callback' }))

  expect(await Promise.all([signedIn, gaveUp, 'https://c.example/mcp'].map((url) => hasSignedIn(url, place, parts)))).toEqual([true, false, false])
})
