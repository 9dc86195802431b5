import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { eventually } from '../fixtures/deciding-page.ts'
import { formReview as openReview, openConsole } from '../fixtures/open-console.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

const appFolder = join(projectFolder, 'dist/console')
const never = new AbortController().signal
const seat = { type: 'object', properties: { seat: { type: 'string', title: 'Seat' } } } as const

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

/** Counts notifications in the place of the browser's own, which nobody could see here. */
const counted = `
  window.shown = []
  window.Notification = class extends EventTarget {
    static permission = 'granted'
    static requestPermission = () => Promise.resolve('granted')
    constructor(title, options) { super(); window.shown.push({ title, ...options }); window.last = this }
    close() {}
  }
  document.hasFocus = () => window.isLooking === true
`

test('a new question is told by the browser and by the title to whoever looks elsewhere, once, and a click leads to it', async () => {
  const { desk, page, context } = await pages.open([formReview('one', seat)])
  await context.addInitScript(counted)
  await page.reload()
  await page.locator('a[href="#/inbox/one"]').waitFor()
  await page.evaluate("location.hash = '#/settings'")

  desk.open(formReview('two', seat, 'notes'))
  await eventually(async () => expect(await page.title()).toBe('(2) Consentry'))
  await eventually(async () => expect(await page.evaluate('window.shown')).toHaveLength(1))
  const shown = await page.evaluate<readonly { title: string; body: string; tag: string }[]>('window.shown')
  await page.evaluate("window.last.dispatchEvent(new Event('click'))")
  await page.locator('a[href="#/inbox/two"][aria-current]').waitFor()
  await page.evaluate('window.isLooking = true')
  desk.open(formReview('three', seat))
  await eventually(async () => expect(await page.title()).toBe('(3) Consentry'))

  expect(shown).toEqual([{ title: 'Consentry', body: 'notes wants to know 1 thing to finish book_trip', tag: 'two' }])
  expect(await page.evaluate('window.shown.length')).toBe(1)
})

test('two tabs that send at the same moment: one answer goes out, and neither is left with the question', async () => {
  const { console, inbox } = await openConsole({ appFolder })
  const one = await pages.visit(console.url())
  const two = { page: await one.context.newPage() }
  await two.page.goto(new URL('/', console.url()).href)
  const settlement = inbox.review(openReview({ draft: { seat: '7A' } }), never)
  const tabs = [one.page, two.page]
  await Promise.all(tabs.map((page) => page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' }).waitFor()))

  await Promise.all([one.page.keyboard.press('Control+Enter'), two.page.keyboard.press('d')])

  const settled = await settlement
  await Promise.all(tabs.map((page) => page.getByText('Nothing waits for you').or(page.getByText('done today')).first().waitFor()))
  expect(settled).toMatchObject({ outcome: 'decided', by: 'person', surface: 'console' })
  expect(await Promise.all(tabs.map((page) => page.locator('[data-bar]').count()))).toEqual([0, 0])
}, 60_000)

test('a page of another site in the same browser reads nothing, sends nothing, and frames nothing', async () => {
  const { console, inbox } = await openConsole({ appFolder })
  const { context } = await pages.visit(console.url())
  const settled = vi.fn()
  void inbox.review(openReview(), never).then(settled)
  const { origin } = new URL(console.url())
  const attack = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe src="${origin}/"></iframe>
      <form id="form" method="post" enctype="text/plain" target="out" action="${origin}/api/review/decide"><input name='{"id":"review-1","decision":{"action":"accept","content":{"seat":"' value='x"}}}'></form><iframe name="out"></iframe>`),
  )
  await new Promise<void>((resolve) => attack.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void attack.close())
  const page = await context.newPage()
  const framed: string[] = []
  page.on('console', (message) => framed.push(message.text()))
  await page.goto(`http://127.0.0.1:${(attack.address() as AddressInfo).port}/`)

  const body = { id: 'review-1', decision: { action: 'accept', content: { seat: '66X' } } }
  const tries = await page.evaluate<readonly string[]>(`Promise.all([
    fetch('${origin}/api/review/decide', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'x-consentry': 'x' }, body: ${JSON.stringify(JSON.stringify(body))} }),
    fetch('${origin}/api/review/decide', { method: 'POST', credentials: 'include', mode: 'no-cors', body: ${JSON.stringify(JSON.stringify(body))} }),
    fetch('${origin}/', { credentials: 'include' }),
  ].map((one) => one.then(async (answer) => answer.type + ' ' + (await answer.text()), () => 'failed')))`)
  await page.evaluate("document.getElementById('form').submit()")
  await eventually(() => expect(framed.some((text) => /frame|X-Frame-Options|refused/iu.test(text))).toBe(true))

  expect(tries.filter((text) => text !== 'failed' && text !== 'opaque ')).toEqual([])
  expect([inbox.list().length, settled.mock.calls]).toEqual([1, []])
}, 60_000)
