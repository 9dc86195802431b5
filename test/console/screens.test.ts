import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { foldersReview, formReview, promptReview, urlReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const screens = ['servers', 'servers/travel', 'roots', 'try-it', 'timeline', 'usage', 'audit', 'settings']
const themes = ['light', 'dark'] as const
const combinations = ['en', 'ko', 'zh-CN'].flatMap((locale) => themes.map((theme) => [locale, theme] as const))

test.each(combinations)(
  'nothing stands in anybody’s way on any screen (%s, %s)',
  async (locale, colorScheme) => {
    const { page, faults } = await pages.open([], { locale, colorScheme, reducedMotion: 'reduce' })
    const barriers: Record<string, readonly string[]> = {}

    for (const screen of screens) {
      await page.evaluate(`location.hash = '#/${screen}'`)
      await page.locator('main h1').waitFor()
      await page.locator('main [role=status]:has-text("…")').first().waitFor({ state: 'detached' })
      barriers[screen] = await pages.findBarriers(page)
    }

    expect(barriers).toEqual(Object.fromEntries(screens.map((screen) => [screen, []])))
    expect(faults).toEqual([])
  },
  240_000,
)

test('the tour comes together with the screen below it, so that nothing moves away under a click', async () => {
  const { desk, context } = await pages.open([promptReview()])
  const page = await context.newPage()
  let load = (): void => undefined
  const loaded = new Promise<void>((resolve) => (load = resolve))
  await page.route(/\/assets\/tour-[^/]*\.js/u, (route) => loaded.then(() => route.continue()))
  await page.goto(desk.url)
  await page.getByText('Always ask me').first().waitFor()
  const before = await page.getByRole('link', { name: /plan_vacation/u }).count()
  load()
  await page.getByRole('link', { name: /plan_vacation/u }).waitFor()

  expect([before, await page.getByRole('complementary', { name: 'Guided tour' }).isVisible()]).toEqual([0, true])
})

test('the token leaves the address, and the number of questions stands in the title', async () => {
  const { page } = await pages.open([formReview('one'), formReview('two')])

  await vi.waitFor(async () => expect(await page.title()).toBe('(2) Consentry'), { timeout: 10_000, interval: 50 })
  expect(page.url()).not.toContain('token')
})

const telephone = { viewport: { width: 390, height: 844 } }

/** What can be pushed sideways on a page: its parts as well, but for code, which is not wrapped. */
const pushable = `[...document.querySelectorAll('*')]
  .filter((part) => part.checkVisibility() && part.tagName !== 'PRE' && part.scrollWidth > part.clientWidth + 1)
  .filter((part) => part === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(part).overflowX))
  .map((part) => part.tagName + ' ' + part.textContent.slice(0, 60))`

test('every screen fits a telephone, with its tables and its diagram', async () => {
  const { page } = await pages.open([], telephone)
  const found: Record<string, unknown> = {}

  for (const screen of screens) {
    await page.evaluate(`location.hash = '#/${screen}'`)
    await page.locator('main h1').waitFor()
    await page.locator('main [role=status]:has-text("…")').first().waitFor({ state: 'detached' })
    found[screen] = await page.evaluate(pushable)
  }

  expect(found).toEqual(Object.fromEntries(screens.map((screen) => [screen, []])))
}, 60_000)

test('names and words that are far too long push nothing sideways, and cover nothing', async () => {
  const name = 'a-server-with-a-name-that-is-much-longer-than-anybody-would-give-to-it'
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5)
  const choices = Array.from({ length: 30 }, (_, index) => ({ const: `c${index}`, title: `${index} ${word}` }))
  const properties = { many: { type: 'array', title: word, description: word, items: { anyOf: choices } }, text: { type: 'string', title: word } }
  const form = formReview('form', { type: 'object', properties }, name)
  const url = urlReview('url')
  const reviews = [
    { ...form, subject: { ...form.subject, message: word } },
    { ...url, asker: { ...url.asker, server: name, target: word }, subject: { ...url.subject, message: word } },
    { ...promptReview('prompt'), asker: form.asker },
    { ...foldersReview('folders'), asker: form.asker },
  ]
  const { page } = await pages.open(reviews, telephone)
  const found: Record<string, unknown> = {}
  for (const { id } of reviews) {
    await page.evaluate(`location.hash = '#/inbox/${id}'`)
    await page.locator(`#pane article[data-review="${id}"] [data-bar]`).waitFor()
    found[id] = await page.evaluate(pushable)
  }
  await page.evaluate("location.hash = '#/inbox/form'")
  await page.getByRole('checkbox').first().waitFor()
  const covered = await page.evaluate(`(() => {
    const options = [...document.querySelectorAll('label:has(input[type=checkbox])')].map((label) => label.getBoundingClientRect())
    const words = [...document.querySelectorAll('label:has(input[type=checkbox])')].map((label) => label.lastElementChild.getBoundingClientRect())
    return words.filter(({ top, bottom }, index) => top < options[index].top - 1 || bottom > options[index].bottom + 1).length
  })()`)

  expect(found).toEqual({ form: [], url: [], prompt: [], folders: [] })
  expect(covered).toBe(0)
}, 60_000)

test.each(themes)(
  'what is broken at the desk can be read by everybody, in the %s theme',
  async (colorScheme) => {
    const { desk, page } = await pages.open([], { colorScheme, reducedMotion: 'reduce' })
    const fault = (code: string): { code: string; message: string } => ({ code, message: 'config.jsonc:3:1: "rulez" is not known' })
    desk.tell({
      type: 'desk-changed',
      desk: { alwaysAsk: false, demo: false, configFault: fault('CONFIG_INVALID'), auditFault: fault('AUDIT_UNAVAILABLE') },
    })
    await page.getByText('rules are suspended').waitFor()
    await page.getByText('nothing is answered').waitFor()

    expect(await pages.findBarriers(page)).toEqual([])
  },
  60_000,
)

test('a screen without an address says so, and a language stays chosen', async () => {
  const { desk, page } = await pages.open([formReview()])

  await page.evaluate("location.hash = '#/nowhere'")
  await page.getByText('There is no such screen').waitFor()
  await page.getByRole('button', { name: /Language: English/ }).click()
  await page.getByRole('menuitem', { name: '한국어' }).click()
  await page.getByText('없는 화면입니다').waitFor()

  await vi.waitFor(() => expect(desk.preferences).toEqual({ language: 'ko' }), { timeout: 10_000 })
  expect(await page.evaluate('document.documentElement.lang')).toBe('ko')
})

test.each([
  ['en', 'Being told is not being held', 'advises new servers against them'],
  ['ko', '샌드박스', '권하지 않습니다'],
  ['zh-CN', '告知并不等于限制', '不再使用'],
])('the screen of folders says that roots are guidance, and that 2026-07-28 advises against them (%s)', async (locale, ...words) => {
  const { page } = await pages.open([], { locale })
  await page.evaluate("location.hash = '#/roots'")

  for (const word of words) await page.locator('main').getByText(word).first().waitFor()
})

test('"always ask me" is in plain sight, and told to the desk', async () => {
  const { desk, page } = await pages.open([])

  await page.getByRole('switch', { name: 'Always ask me' }).check({ force: true })

  await vi.waitFor(() => expect(desk.alwaysAsk).toBe(true), { timeout: 10_000 })
})

test('a session that has ended takes everything off the screen', async () => {
  const { desk, page } = await pages.open([formReview()])
  await page.getByText('Confirm the booking').first().waitFor()

  desk.tell({ type: 'session-ended', reason: 'signed-out' })

  await page.getByText('This session has ended').waitFor()
  expect(await page.getByText('Confirm the booking').count()).toBe(0)
})

test('a tool is called with a form, and what it asks opens in place', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('tools/call', ({ tool, arguments: given }) => {
    const call = {
      id: 'call-1',
      server: 'travel',
      tool: String(tool),
      arguments: given as object,
      startedAt: Date.now(),
      state: 'running' as const,
      reviews: ['asked'],
    }
    desk.open(formReview('asked'))
    desk.tell({ type: 'call-changed', call: { ...call, arguments: {} } })
    return { call }
  })

  await page.evaluate("location.hash = '#/try-it'")
  await page.getByRole('textbox', { name: 'Destination' }).fill('Barcelona')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByText('Please confirm your Barcelona vacation booking').waitFor()

  expect(desk.calls.find(({ name }) => name === 'tools/call')?.request).toEqual({
    server: 'travel',
    tool: 'book_trip',
    arguments: { destination: 'Barcelona', nights: 7 },
  })
})
