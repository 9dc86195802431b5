import { request } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AirlinePage } from './airline-page.ts'
import { pressConnect } from './press-connect.ts'

const onEnd = vi.fn<(outcome: 'connected' | 'closed') => void>()
let page: AirlinePage

beforeEach(async () => {
  onEnd.mockClear()
  page = await AirlinePage.open({ airline: 'Vela <b>Atlantic</b>', lifetime: 10_000, onEnd })
})

afterEach(() => page.close())

interface Attempt {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** What a browser would not do: `fetch` here forbids to choose the host. */
function attempt({ method = 'POST', path, headers = {}, body = '' }: Attempt): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(page.url)
  return new Promise((done, fail) => {
    request({ hostname, port, path: path ?? pathname, method, headers }, (response) => {
      response.resume()
      done(response.statusCode)
    })
      .on('error', fail)
      .end(body)
  })
}

async function readToken(): Promise<string> {
  return /name="token" value="([^"]*)"/.exec(await (await fetch(page.url)).text())?.[1] ?? ''
}

test('the page has a button and no script, and shows names as text', async () => {
  const response = await fetch(page.url)
  const html = await response.text()

  expect(html).toContain('<button autofocus>Connect</button>')
  expect(html).toContain('Vela &lt;b&gt;Atlantic&lt;/b&gt;')
  expect(html).not.toContain('<script')
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('pressing the button connects, says so, and nothing listens any more', async () => {
  const said = await pressConnect(page.url)

  expect(said).toContain('is connected')
  expect(onEnd.mock.calls).toEqual([['connected']])
  await vi.waitFor(() => expect(fetch(page.url)).rejects.toThrow())
})

test('looking at the page connects nothing, however often', async () => {
  expect([await attempt({ method: 'GET' }), await attempt({ method: 'HEAD' }), await attempt({ method: 'GET' })]).toEqual([200, 200, 200])
  expect(onEnd).not.toHaveBeenCalled()
})

test('the button works from the page itself and from nowhere else', async () => {
  const body = `token=${await readToken()}`
  const { origin } = new URL(page.url)

  const statuses = [
    await attempt({ body: '' }),
    await attempt({ body: 'token=' }),
    await attempt({ body: 'token=wrong' }),
    await attempt({ body, headers: { origin: 'https://evil.example' } }),
    await attempt({ body, headers: { origin: 'null' } }),
    await attempt({ body, headers: { origin, 'sec-fetch-site': 'cross-site' } }),
    await attempt({ body: `${body}&filler=${'x'.repeat(5000)}` }),
    await attempt({ body, headers: { host: 'travel.evil.example' } }),
    await attempt({ body, path: '/connect/guess' }),
    await attempt({ body, path: '/' }),
    await attempt({ body, method: 'PUT' }),
  ]

  expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 403, 404, 404, 404, 405])
  expect(onEnd).not.toHaveBeenCalled()
})

test('waiting ends with the button', async () => {
  const waiting = page.waitForButton(5_000, new AbortController().signal)
  await pressConnect(page.url)

  expect(await waiting).toBe(true)
})

test('waiting ends with patience, with its signal, and with the page', async () => {
  const never = new AbortController().signal

  const waited = [await page.waitForButton(20, never), await page.waitForButton(5_000, AbortSignal.abort())]
  const waiting = page.waitForButton(5_000, never)
  page.close()

  expect([...waited, await waiting]).toEqual([false, false, false])
})

test('a page ends once, also if it is closed twice', () => {
  page.close()
  page.close()

  expect(onEnd.mock.calls).toEqual([['closed']])
})

test('whoever wants to hear of the button hears of it once, and only of the button', async () => {
  const [heard, undone] = [vi.fn(), vi.fn()]
  page.onConnected(heard)
  page.onConnected(undone)()

  await pressConnect(page.url)

  expect([heard.mock.calls.length, undone.mock.calls.length]).toEqual([1, 0])
})

test('a page that nobody came to closes by itself', async () => {
  const short = await AirlinePage.open({ airline: 'Norda', lifetime: 30, onEnd })

  const pressed = await short.waitForButton(5_000, new AbortController().signal)

  expect([pressed, short.closed]).toEqual([false, true])
})
