import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exchange } from '../../test/fixtures/console-client.ts'
import { formReview, openConsole } from '../../test/fixtures/open-console.ts'

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request with whatever headers one likes, as no browser would send it. */
function send(
  port: number,
  path: string,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const codeOf = ({ status, body }: Raw): unknown => [status, body.startsWith('{') ? (JSON.parse(body) as { error?: { code: string } }).error?.code : body]

test('a page of another site, or one whose name is made to point here (DNS rebinding), gets nothing', async () => {
  const { console, enter } = await openConsole()
  const { port } = console
  const browser = await enter()
  const own: Record<string, string> = { ...browser.headers, host: `127.0.0.1:${port}` }
  const tries: Record<string, Record<string, string>> = {
    'rebound name': { ...own, host: `evil.example:${port}` },
    'the name localhost': { ...own, host: `localhost:${port}` },
    'another port': { ...own, host: `127.0.0.1:${port + 1}` },
    'host with a user': { ...own, host: `127.0.0.1:${port}@evil.example` },
    'another site': { ...own, origin: 'https://evil.example' },
    'another port of this machine': { ...own, origin: 'http://127.0.0.1:9999' },
    'the same name over https': { ...own, origin: `https://127.0.0.1:${port}` },
    'a page without origin': { ...own, origin: 'null' },
    'cross-site by fetch metadata': { ...own, 'sec-fetch-site': 'cross-site' },
    'same-site by fetch metadata': { ...own, 'sec-fetch-site': 'same-site' },
  }
  const { origin: _origin, ...withoutOrigin } = own
  const results = await Promise.all(
    Object.values({ ...tries, 'no origin at all': withoutOrigin }).map((headers) => send(port, '/api/desk/get', { headers, body: '{}' })),
  )

  // A host that is none is refused before we see it.
  expect(results.map(({ status }) => status).filter((status) => status !== 400)).toEqual(Array.from({ length: 10 }, () => 403))
  expect((await send(port, '/api/desk/get', { headers: own, body: '{}' })).status).toBe(200)
})

test('a page that is only read from elsewhere gives nothing either, and nothing is shown in a frame', async () => {
  const { console } = await openConsole()
  const host = `127.0.0.1:${console.port}`
  const get = (path: string, headers: Record<string, string>): Promise<Raw> => send(console.port, path, { method: 'GET', headers: { host, ...headers } })
  const [script, frame, opened, typed] = await Promise.all([
    get('/assets/main.js', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }),
    get('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }),
    get('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }),
    get('/', {}),
  ])

  expect([script.status, frame.status, opened.status, typed.status]).toEqual([403, 403, 200, 200])
  expect(
    [script, frame, opened].map(({ headers }) => [headers['access-control-allow-origin'], headers['cross-origin-resource-policy'], headers['x-frame-options']]),
  ).toEqual(Array.from({ length: 3 }, () => [undefined, 'same-origin', 'DENY']))
})

test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('%s is no way to call', async (method) => {
  const { console, enter } = await openConsole()
  const browser = await enter()
  const { status, headers } = await send(console.port, '/api/desk/get', { method, headers: { ...browser.headers, host: `127.0.0.1:${console.port}` } })

  expect([404, 405]).toContain(status)
  expect(headers['access-control-allow-methods']).toBeUndefined()
})

test('what a plain HTML form can send is no call: not its types, and not without the header', async () => {
  const { console, inbox, enter } = await openConsole()
  void inbox.review(formReview(), new AbortController().signal)
  const browser = await enter()
  const own = { ...browser.headers, host: `127.0.0.1:${console.port}` }
  const decision = JSON.stringify({ id: 'review-1', decision: { action: 'accept', content: { seat: '12A' } } })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'text/json', '']
  const results = await Promise.all(
    types.map((type) => send(console.port, '/api/review/decide', { headers: { ...own, 'content-type': type }, body: decision })),
  )
  const { 'x-consentry': _key, ...withoutKey } = own as Record<string, string>
  const bare = await send(console.port, '/api/review/decide', { headers: withoutKey, body: decision })

  expect(results.map(({ status }) => status)).toEqual(types.map(() => 415))
  expect(codeOf(bare)).toEqual([401, 'SESSION_ENDED'])
  expect(inbox.size).toBe(1)
})

test('the cookie alone decides nothing, for it goes to every port of this machine; nor does the key alone, nor parts of two sessions', async () => {
  const { console, inbox, enter } = await openConsole()
  void inbox.review(formReview(), new AbortController().signal)
  const [one, two] = [await enter(), await enter()]
  const decide = (headers: Record<string, string>): Promise<Raw> =>
    send(console.port, '/api/review/decide', {
      headers: { ...one.headers, host: `127.0.0.1:${console.port}`, ...headers },
      body: JSON.stringify({ id: 'review-1', decision: { action: 'decline' } }),
    })
  const results = await Promise.all([
    decide({ 'x-consentry': '' }),
    decide({ 'x-consentry': 'open' }),
    decide({ 'x-consentry': two.key }),
    decide({ 'x-consentry': one.key.slice(0, -1) }),
    decide({ cookie: '' }),
    decide({ cookie: two.cookie }),
    decide({ cookie: one.cookie.replace(/-\d+=/, '-1=') }),
    decide({ cookie: `${one.cookie.slice(0, -4)}0000` }),
  ])

  expect(results.map(codeOf)).toEqual(results.map(() => [401, 'SESSION_ENDED']))
  expect(inbox.size).toBe(1)
})

test('a token is good for one browser, once, and for a short time', async () => {
  let now = 1_000_000
  const { console } = await openConsole({ now: () => now })
  const { origin, hash } = new URL(console.url())
  const token = hash.replace('#token=', '')
  const first = await exchange(origin, token)
  const again = await exchange(origin, token)
  const late = new URL(console.url()).hash.replace('#token=', '')
  now += 600_000
  const tooLate = await exchange(origin, late)
  const guessed = await exchange(origin, '')

  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(first.headers.get('set-cookie')).toMatch(/^consentry-\d+=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/$/)
  expect([first.status, again.status, tooLate.status, guessed.status]).toEqual([200, 401, 401, 401])
  expect(await again.json()).toMatchObject({ error: { code: 'LINK_USED' } })
})

test('a session cannot be opened without the header, from another page, or as a form', async () => {
  const { console } = await openConsole()
  const { origin, hash } = new URL(console.url())
  const token = hash.replace('#token=', '')
  const results = [
    await exchange(origin, token, { 'x-consentry': 'x' }),
    await exchange(origin, token, { origin: 'http://127.0.0.1:1' }),
    await exchange(origin, token, { 'content-type': 'text/plain' }),
  ]

  expect(results.map(({ status }) => status)).toEqual([403, 403, 415])
  expect((await exchange(origin, token)).status).toBe(200)
})

test('a session that nobody uses ends; one that is signed out ends in all of its tabs', async () => {
  let now = 1_000_000
  const setting = await openConsole({ now: () => now, sessions: { idleMs: 3_600_000 } })
  const [idle, signedOut] = [await setting.enter(), await setting.enter()]
  const tabs = await Promise.all([signedOut.watch(), signedOut.watch()])
  await signedOut.call('session/close', {})
  await Promise.all(tabs.map((tab) => tab.over()))
  now += 3_600_000

  expect(tabs.map(({ seen }) => seen.at(-1))).toEqual([
    { type: 'session-ended', reason: 'signed-out' },
    { type: 'session-ended', reason: 'signed-out' },
  ])
  await expect(signedOut.call('desk/get', {})).rejects.toMatchObject({ code: 'SESSION_ENDED' })
  expect((await idle.post('events', {})).status).toBe(401)
})

test('events need a session', async () => {
  const { enter } = await openConsole()
  const browser = await enter()
  const results = await Promise.all([browser.post('events', {}, { 'x-consentry': 'open' }), browser.post('events', {}, { cookie: '' })])

  expect(results.map(({ status }) => status)).toEqual([401, 401])
})

test('every response forbids foreign scripts, frames, referrers and guesses at types', async () => {
  const { console, enter } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const responses = [
    await fetch(`${browser.origin}/`),
    await fetch(`${browser.origin}/assets/main.js`),
    await fetch(`${browser.origin}/nothing.js`),
    await browser.post('desk/get', {}),
    await browser.post('no/such/call', {}),
    await browser.post('review/get', { id: 7 }),
    stream.response,
    await exchange(browser.origin, 'wrong'),
  ]
  const own = ['img-src', 'frame-src', 'font-src', 'connect-src', 'manifest-src'].map((kind) => `${kind} 'self'`).join('; ')
  const policy = new RegExp(
    `^default-src 'none'; script-src 'self'; style-src 'self'( 'nonce-[0-9a-f]{32}')?; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$`,
  )
  for (const response of responses) {
    const { headers } = response
    expect(headers.get('content-security-policy')).toMatch(policy)
    expect(
      Object.fromEntries(
        [
          'x-content-type-options',
          'x-frame-options',
          'referrer-policy',
          'cache-control',
          'cross-origin-opener-policy',
          'cross-origin-resource-policy',
          'access-control-allow-origin',
        ].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': response.url.endsWith('/assets/main.js') ? 'private, max-age=31536000, immutable' : 'no-store',
      'access-control-allow-origin': null,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  }
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 200, 404, 400, 200, 401])
  expect(console.port).toBeGreaterThan(0)
})

test('each load of the page has a nonce of its own, the same in its head and in its policy', async () => {
  const { console } = await openConsole()
  const load = async (): Promise<{ nonce: string | undefined; policy: string | null }> => {
    const response = await fetch(`http://127.0.0.1:${console.port}/`)
    return { nonce: /nonce="([^"]+)"/.exec(await response.text())?.[1], policy: response.headers.get('content-security-policy') }
  }
  const [one, two] = [await load(), await load()]

  expect(one.nonce).toMatch(/^[0-9a-f]{32}$/)
  expect(one.nonce).not.toBe(two.nonce)
  expect([one.policy, two.policy]).toEqual([expect.stringContaining(`'nonce-${one.nonce}'`), expect.stringContaining(`'nonce-${two.nonce}'`)])
})

test.each([
  '/../state/config.jsonc',
  '/assets/../../state/consentry.db',
  '/%2e%2e/state/config.jsonc',
  '/assets/..%2f..%2fstate%2fconfig.jsonc',
  '//etc/passwd',
  '/assets/main.js%00.html',
  '/assets',
])('no path leads out of the app: %s', async (path) => {
  const { console } = await openConsole({ config: '{}' })
  const { status, body } = await send(console.port, path, { method: 'GET', headers: { host: `127.0.0.1:${console.port}` } })

  expect([403, 404]).toContain(status)
  expect(body).not.toContain('root:')
})

test('a body that is too large, too deep, no object or no text is refused, and the desk goes on', async () => {
  const { console, enter } = await openConsole()
  const browser = await enter()
  const headers = { ...browser.headers, host: `127.0.0.1:${console.port}` }
  const bodies = [
    '',
    'null',
    '[]',
    '"x"',
    '{',
    '{"id":',
    '['.repeat(100_000),
    `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    '\ufeff{}',
    '{"id":"\ud800"}',
  ]
  const results = await Promise.all(bodies.map((body) => send(console.port, '/api/review/get', { headers, body })))
  const claimed = await send(console.port, '/api/review/get', { headers: { ...headers, 'content-length': String(9 * 1024 * 1024) }, body: 'x' }).catch(
    () => undefined,
  )
  const chunked = await fetch(`${browser.origin}/api/review/get`, {
    method: 'POST',
    headers: browser.headers,
    body: new Blob([new Uint8Array(9 * 1024 * 1024)]).stream(),
    duplex: 'half',
  }).then(
    ({ status }) => status,
    () => 413,
  )

  expect(results.every(({ status }) => status === 400 || status === 200)).toBe(true)
  expect(claimed?.status ?? 413).toBe(413)
  expect(chunked).toBe(413)
  expect((await browser.call('desk/get', {})).pid).toBe(process.pid)
})

test('names that mean something to JavaScript are data', async () => {
  const { inbox, enter } = await openConsole()
  void inbox.review(formReview(), new AbortController().signal)
  const browser = await enter()
  await browser.post('review/draft', JSON.parse('{"id":"review-1","window":"w","draft":{"__proto__":{"polluted":true},"constructor":{}}}'))
  const responses = await Promise.all(['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((id) => browser.call('review/get', { id })))

  expect(responses).toEqual(responses.map(() => ({ status: 'unknown' })))
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('a decision of another kind, or what is no decision, is refused and nothing is decided', async () => {
  const { inbox, enter, faults } = await openConsole()
  void inbox.review(formReview(), new AbortController().signal)
  const browser = await enter()
  const decisions = [{ action: 'approve' }, { action: 'accept' }, { action: 'accept', content: [] }, { action: '__proto__' }, {}, { action: ['accept'] }]
  const results = await Promise.all(decisions.map((decision) => browser.post('review/decide', { id: 'review-1', decision })))

  expect(results.map(({ status }) => status)).toEqual(decisions.map(() => 400))
  expect({ size: inbox.size, faults }).toEqual({ size: 1, faults: [] })
})

test('the browser is opened through a page for the user alone, that is gone as soon as somebody has come; the token is in no argument', async () => {
  let opened = ''
  const { console, folder } = await openConsole({
    openFile: (file) => {
      opened = file
      return Promise.resolve()
    },
  })
  const why = await console.show()
  const { mode } = await stat(opened)
  const page = await readFile(opened, 'utf8')
  const url = /url=([^"]+)"/.exec(page)![1]!
  const token = new URL(url).hash.replace('#token=', '')
  await exchange(new URL(url).origin, token)
  await expect.poll(() => readdir(join(folder, 'state', 'open'))).toEqual([])

  expect({ why, mode: (mode & 0o777).toString(8), inName: opened.includes(token) }).toEqual({ why: undefined, mode: '600', inName: false })
  expect(page).not.toContain('<script')
})

test('a browser that cannot be opened is said so, and nothing is left behind', async () => {
  const { console, folder } = await openConsole({ openFile: () => Promise.reject(new Error('no browser here')) })

  expect(await console.show()).toBe('no browser here')
  await expect.poll(() => readdir(join(folder, 'state', 'open'))).toEqual([])
})

test('only this machine can reach it', async () => {
  const { console } = await openConsole()
  const reached = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.2', port: console.port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.unref()
  })

  expect(reached).toBe(false)
})

test('a window that does not read is cut off, and gets everything anew when it comes back; the others go on', async () => {
  const { Windows } = await import('./windows.ts')
  const windows = new Windows({ run: 'r', mostWaiting: 10_000 })
  let ended = 0
  const first = (): never => ({ type: 'resumed', window: 'w', now: 0 }) as never
  const stuck = windows.open({ after: undefined, first, onEnd: () => (ended += 1) })
  const reading = windows.open({ after: undefined, first, onEnd: () => undefined })
  const reader = reading.stream.getReader()
  for (let count = 0; count < 500; count += 1) {
    windows.tell({ type: 'server-removed', name: 'x'.repeat(100) })
    await reader.read()
  }

  expect({ ended, size: windows.size }).toEqual({ ended: 1, size: 1 })
  expect(stuck.window).toBe('window-1')
  windows.close()
})
