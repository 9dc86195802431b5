import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const pane = (page: Page, id: string) => page.locator(`#pane article[data-review="${id}"]`)

/** Somebody on the tour whose form has expired, and who has travel ask again: a new form comes. */
async function askAnew(address: string, options: BrowserContextOptions = {}) {
  const { desk, page, faults } = await pages.open([formReview('old')], options)
  const tour = page.getByRole('complementary', { name: en.tour.label })
  const press = (name: string): Promise<void> => tour.getByRole('button', { name, exact: true }).click()
  await press(en.tour.start)
  await press(en.tour.next)
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
  desk.end('old', { outcome: 'timed-out', at: Date.now() })
  desk.tell({
    type: 'call-changed',
    call: { id: 'c1', server: 'travel', tool: 'book_trip', arguments: {}, reviews: ['old'], startedAt: Date.now(), state: 'done', result: { content: [] } },
  })
  desk.answers.set('tools/call', () => {
    desk.open(formReview('new'))
    return {}
  })
  const again = tour.getByRole('button', { name: en.tour.again, exact: true })
  await again.waitFor()
  return { desk, page, faults, again }
}

test.each(['#/', '#/inbox', '#/inbox/old', '#/servers'])(
  'on a wide screen at %s, what somebody has asked again takes the place of the form that has ended',
  async (address) => {
    const { page, faults, again } = await askAnew(address)
    if (address !== '#/servers') await pane(page, 'old').and(page.locator('[data-ended]')).waitFor()

    await again.click()
    await pane(page, 'new').locator('[data-bar]').waitFor()
    const hash = new URL(page.url()).hash
    await page.goBack()
    const isBack = new URL(page.url()).hash

    expect([hash, isBack, faults]).toEqual(['#/inbox', address, []])
  },
)

test('what is asked again ends as any other: its card stays, and a question that nobody asked for does not take its place', async () => {
  const { desk, page, again } = await askAnew('#/inbox')
  await again.click()
  await pane(page, 'new').locator('[data-bar]').waitFor()

  desk.end('new', { outcome: 'timed-out', at: Date.now() })
  desk.open(formReview('unasked'))
  await page.locator('a[href="#/inbox/unasked"]').waitFor()

  expect(await pane(page, 'new').getAttribute('data-ended')).toBe('true')
})

test('on a small screen what is asked again comes into the list, is opened from there, and Back leads to the list', async () => {
  const { page, again } = await askAnew('#/inbox/old', { viewport: { width: 390, height: 844 } })

  await again.click()
  const row = page.locator('a[href="#/inbox/new"]')
  await row.waitFor()
  const shown = await page.locator('#pane article').count()
  await row.click()
  await pane(page, 'new').locator('[data-bar]').waitFor()
  await page.goBack()
  await row.waitFor()

  expect([shown, new URL(page.url()).hash]).toEqual([0, '#/inbox'])
})
