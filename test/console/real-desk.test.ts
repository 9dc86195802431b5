import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { formReview, openConsole } from '../fixtures/open-console.ts'

const appFolder = join(projectFolder, 'dist/console')
const never = new AbortController().signal

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('a question of a real desk is answered in a real browser: what does not fit is said, what fits is sent', async () => {
  const { console, inbox, faults: deskFaults } = await openConsole({ appFolder })
  const { page, faults } = await pages.visit(console.url())
  await page.getByText('Nothing waits for you').waitFor()

  const settlement = inbox.review(formReview(), never)
  const seat = page.getByRole('textbox', { name: 'Seat' })
  await seat.fill('7')
  await seat.blur()
  await page.getByText('Too short: at least 2 characters.').waitFor()
  await seat.fill('7A')
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' }).click()

  expect(await settlement).toMatchObject({ outcome: 'decided', by: 'person', decision: { action: 'accept', content: { seat: '7A' } } })
  await page.getByText('done today').waitFor()
  expect([faults, deskFaults]).toEqual([[], []])
}, 60_000)

test('what a server takes back turns grey, and everything of a desk that stops ends', async () => {
  const { console, inbox } = await openConsole({ appFolder })
  const { page } = await pages.visit(console.url())
  await page.getByText('Nothing waits for you').waitFor()
  const call = new AbortController()
  const settlement = inbox.review(formReview(), call.signal)
  await page.getByRole('textbox', { name: 'Seat' }).waitFor()

  call.abort(new Error('the call was cancelled'))

  await page.getByText('travel does not wait for this any more').waitFor()
  expect(await settlement).toEqual({ outcome: 'withdrawn', reason: 'the call was cancelled' })
}, 60_000)

test('what was filled in when its asker gave up is offered with the same question, and sent with one key', async () => {
  const { console, inbox } = await openConsole({ appFolder })
  const { page } = await pages.visit(console.url())
  const call = new AbortController()
  void inbox.review(formReview({ sameness: 'seat' }), call.signal)
  await page.getByRole('textbox', { name: 'Seat' }).fill('7A')
  await expect.poll(() => inbox.list()[0]?.draft.value, { timeout: 10_000 }).toEqual({ seat: '7A' })
  call.abort(new Error('the client cancelled its request'))
  await page.getByText('its client took the call back').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Nothing waits for you').waitFor()

  const settlement = inbox.review(formReview({ sameness: 'seat' }), never)
  await page.getByText('gave up before it was sent').waitFor()
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' }).waitFor()
  await page.keyboard.press('Control+Enter')

  expect(await settlement).toMatchObject({ outcome: 'decided', decision: { action: 'accept', content: { seat: '7A' } } })
}, 60_000)

test('a link opens the console once: whoever comes later sees nothing', async () => {
  const { console, inbox } = await openConsole({ appFolder })
  const url = console.url()
  const first = await pages.visit(url)
  await first.page.getByText('Nothing waits for you').waitFor()
  void inbox.review(formReview(), never)

  const second = await pages.visit(url)

  await second.page.getByText('This session has ended').waitFor()
  await first.page.reload()
  await first.page.getByRole('textbox', { name: 'Seat' }).waitFor()
  expect(await second.page.getByText('Seat').count()).toBe(0)
}, 60_000)
