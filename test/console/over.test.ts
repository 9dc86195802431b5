import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { bar } from '../fixtures/deciding-page.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('a calendar goes years back at once, and closes with the question that it belongs to', async () => {
  const { desk, page } = await pages.open([formReview('review-1')])
  await bar(page).waitFor()
  await page.getByRole('button', { name: en.common.day.pick }).first().click()
  const dialog = page.getByRole('dialog', { name: en.common.day.pick })
  await dialog.getByRole('combobox', { name: en.common.day.year }).selectOption('1987')
  await dialog.getByText(/^\w+ 1987$/).waitFor()
  desk.end('review-1', { outcome: 'withdrawn', reason: 'the client cancelled its request', at: Date.now() })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: en.common.dismiss, exact: true }).click()

  await page.getByText(en.inbox.empty.title).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(en.shell.screens.inbox)
})

test('a desk that said that it ends is told apart from one that is not reached', async () => {
  const { desk, page } = await pages.open([formReview('review-1')])
  await bar(page).waitFor()
  const state = page.getByRole('status').filter({ hasText: en.shell.connection.stopped })
  desk.tell({ type: 'session-ended', reason: 'desk-closed' })
  await state.first().waitFor()
  const lost = page.waitForEvent('requestfailed')
  await desk.close()
  await lost

  expect([await state.count(), await page.getByText(en.shell.connection.lost).count()]).toEqual([1, 0])
})
