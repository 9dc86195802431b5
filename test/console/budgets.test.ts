import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, eventually, press } from '../fixtures/deciding-page.ts'
import { budgetReview, promptReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const review = promptReview()

test('a prompt that a budget has no room for says so before anybody approves it, and its answer can be made short enough', async () => {
  const limits = [{ limit: 'tokensPerDay', scope: 'server', allowed: 1200, used: 300 }] as const
  const { desk, page, faults } = await pages.open([{ ...review, subject: { ...review.subject, limits } }])
  const notice = page.getByRole('alert').filter({ hasText: 'This does not fit into what is left' })
  await notice.waitFor()
  const said = await notice.innerText()
  await awake(page)
  await notice.getByRole('button', { name: 'Shorten the answer to 488 tokens' }).click()
  await notice.waitFor({ state: 'detached' })
  await press(page, 'Approve')

  expect(said).toContain('Tokens a day: this may take 1,412, and 900 is left.')
  const request = { ...review.subject.request, maxTokens: 488 }
  await eventually(() => expect(desk.decisions).toEqual([{ id: review.id, decision: { action: 'approve', model: review.subject.choice.model, request } }]))
  expect(faults).toEqual([])
})

test('a prompt that no model can answer says why there is none', async () => {
  const choice = { model: 'person', why: 'no model is configured', reasons: [{ key: 'no-model', sentence: 'no model is configured' }] }
  const { page } = await pages.open([{ ...review, subject: { request: review.subject.request, choice } }])

  await page.getByRole('heading', { name: 'Why no model' }).waitFor()
  expect(await page.getByText('Why this one').count()).toBe(0)
})

test('a budget that is not used up is not said to be, and "wait" says that it refuses now', async () => {
  const { page } = await pages.open([budgetReview()])
  await page.getByRole('heading', { name: /asks for more than is left of its budget/u }).waitFor()

  await page
    .getByText(/Refuses this request now/u)
    .first()
    .waitFor()
  expect(await page.getByText('used up').count()).toBe(0)
})

test('the log says of what a limit refused that a limit did', async () => {
  const { desk, page } = await pages.open([])
  const entry = {
    at: new Date(0).toISOString(),
    event: 'answered',
    question: 'q',
    request: 'sampling',
    server: 'travel',
    connection: 'c',
    by: 'rule',
    outcome: 'refused',
  }
  const entries = [
    { ...entry, position: 2, error: 'LIMIT_REACHED', facts: { limit: 'tokensPerDay', allowed: 130, remaining: 95, said: 'wait' } },
    { ...entry, position: 1, error: 'SAMPLING_DENIED', facts: { rule: 'rules[0]' } },
  ]
  desk.answers.set('audit/list', () => ({ entries }))
  await page.evaluate("location.hash = '#/audit'")

  const rows = page.locator('tbody tr')
  await eventually(async () => expect(await rows.locator('td:nth-child(5)').allInnerTexts()).toEqual(['a limit', 'a rule']))
})
