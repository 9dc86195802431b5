import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

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

test('the token leaves the address, and the number of questions stands in the title', async () => {
  const { page } = await pages.open([formReview('one'), formReview('two')])

  await vi.waitFor(async () => expect(await page.title()).toBe('(2) Consentry'), { timeout: 10_000, interval: 50 })
  expect(page.url()).not.toContain('token')
})

test('every screen fits a telephone', async () => {
  const { page } = await pages.open([], { viewport: { width: 390, height: 844 } })
  const overflows: Record<string, unknown> = {}

  for (const screen of screens) {
    await page.evaluate(`location.hash = '#/${screen}'`)
    await page.locator('main h1').waitFor()
    overflows[screen] = await page.evaluate('document.querySelector("main > div").scrollWidth - document.querySelector("main > div").clientWidth')
  }

  expect(overflows).toEqual(Object.fromEntries(screens.map((screen) => [screen, 0])))
})

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
