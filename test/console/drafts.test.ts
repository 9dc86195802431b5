import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const eventually = (look: () => void | Promise<void>): Promise<void> => vi.waitFor(look, { timeout: 10_000, interval: 50 })
const seat = { type: 'object', properties: { seat: { type: 'string', title: 'Seat' } } } as const

test('what was typed is still there when somebody has looked at another question meanwhile', async () => {
  const { page } = await pages.open([formReview('one', seat), formReview('two', seat)])
  const field = page.getByRole('textbox', { name: 'Seat' })
  await page.locator('a[href="#/inbox/one"][aria-current]').waitFor()
  await field.fill('12A')

  await page.locator('a[href="#/inbox/two"]').click()
  await page.locator('a[href="#/inbox/two"][aria-current]').waitFor()
  const other = await field.inputValue()
  await page.locator('a[href="#/inbox/one"]').click()
  await page.locator('a[href="#/inbox/one"][aria-current]').waitFor()

  await eventually(async () => expect([other, await field.inputValue()]).toEqual(['', '12A']))
})

test('what another window typed meanwhile is there too', async () => {
  const { desk, page } = await pages.open([formReview('one', seat), formReview('two', seat)])
  const field = page.getByRole('textbox', { name: 'Seat' })
  await page.locator('a[href="#/inbox/one"][aria-current]').waitFor()
  await field.fill('12A')
  await eventually(() => expect(desk.calls.some(({ name }) => name === 'review/draft')).toBe(true))
  const { draft } = desk.calls.find(({ name }) => name === 'review/draft')!.request

  await page.locator('a[href="#/inbox/two"]').click()
  await page.locator('a[href="#/inbox/two"][aria-current]').waitFor()
  desk.tell({ type: 'draft-changed', id: 'one', draft: JSON.parse(JSON.stringify(draft).replace('12A', '7C')) as undefined, window: 'another' })
  desk.tell({ type: 'server-touched', name: 'travel', what: 'entry' })
  await page.locator('a[href="#/inbox/one"]').click()

  await eventually(async () => expect(await field.inputValue()).toBe('7C'))
})
