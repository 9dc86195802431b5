import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, bar, eventually, press } from '../fixtures/deciding-page.ts'
import { formReview, promptReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

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

test('an answer that somebody writes in a model’s place is there again after a look at the prompt, another question, a reload and a narrow window', async () => {
  const { desk, page, faults } = await pages.open([promptReview('one'), formReview('two', seat)])
  const field = page.getByRole('textbox', { name: 'Your answer' })
  const turn = (name: string): Promise<void> => bar(page).getByRole('button', { name, exact: true }).click()
  await page.locator('a[href="#/inbox/one"][aria-current]').waitFor()
  await turn('Write the answer myself')
  await field.fill('Take the 10:05')

  const found: string[] = []
  await turn('Back to the prompt')
  await field.waitFor({ state: 'detached' })
  await turn('Write the answer myself')
  found.push(await field.inputValue())
  await page.locator('a[href="#/inbox/two"]').click()
  await page.getByRole('textbox', { name: 'Seat' }).waitFor()
  await page.locator('a[href="#/inbox/one"]').click()
  found.push(await field.inputValue())
  await page.setViewportSize({ width: 390, height: 844 })
  found.push(await field.inputValue())
  await eventually(() => expect(desk.calls.some(({ name }) => name === 'review/draft')).toBe(true))
  await page.reload()
  found.push(await field.inputValue())
  await awake(page)
  await press(page, 'Send to travel')

  expect(found).toEqual(Array.from(found, () => 'Take the 10:05'))
  const completion = { content: [{ type: 'text', text: 'Take the 10:05' }], model: 'person', stopReason: 'endTurn' }
  await eventually(() => expect(desk.decisions).toEqual([{ id: 'one', decision: { action: 'write', completion } }]))
  expect(faults).toEqual([])
})

test('an answer that somebody has begun to write is not asked of a model', async () => {
  const { desk, page } = await pages.open([promptReview('one')])
  await page.locator('article[data-review="one"]').waitFor()
  await bar(page).getByRole('button', { name: 'Write the answer myself', exact: true }).click()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('Take the 10:05')
  await bar(page).getByRole('button', { name: 'Back to the prompt', exact: true }).click()
  await press(page, 'Approve')

  await eventually(() => expect(desk.decisions).toEqual([{ id: 'one', decision: { action: 'approve', model: promptReview().subject.choice.model } }]))
})
