import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, bar, eventually, press } from '../fixtures/deciding-page.ts'
import { promptReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const review = promptReview()
const { request } = review.subject
/** The same prompt with other words in its first message. */
const saying = (text: string): typeof request => {
  const [first, ...others] = request.messages
  return { ...request, messages: [{ ...first!, content: [{ type: 'text', text }, ...first!.content.slice(1)] }, ...others] }
}
const edit = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByRole('button', { name: `Edit: ${label}`, exact: true }).click()
  const field = page.getByRole('textbox', { name: label, exact: true })
  await field.fill(text)
  await field.blur()
  await field.waitFor({ state: 'detached' })
}
const modelField = (page: Page): Locator => page.getByRole('combobox', { name: 'Model', exact: true })

test('what was changed stays changed when what was taken out is put back, taken out again, and put back', async () => {
  const taken = saying('log in with [redacted:password], then look')
  const redaction = { parts: [{ path: 'messages[0].content[0].text', kinds: ['password'] }], original: saying('log in with hunter22, then look') }
  const { desk, page, faults } = await pages.open([{ ...review, subject: { ...review.subject, request: taken, redaction }, draft: taken }])
  await awake(page)
  const putBack = page.getByRole('button', { name: 'Put back what was taken out' })
  const takeOut = page.getByRole('button', { name: 'Take it out again' })

  await edit(page, 'Instructions (system prompt)', 'Answer in one sentence.')
  await edit(page, 'Message 1 of user', 'please log in with [redacted:password], then look')
  await putBack.click()
  await page.getByText('please log in with hunter22, then look').first().waitFor()
  await edit(page, 'Message 1 of user', 'please log in with hunter22, then look around')
  await takeOut.click()
  await page.getByText('please log in with [redacted:password], then look around').first().waitFor()
  await putBack.click()
  await takeOut.waitFor()
  await press(page, 'Approve')

  const sent = { ...saying('please log in with hunter22, then look around'), systemPrompt: 'Answer in one sentence.' }
  await eventually(() =>
    expect(desk.decisions).toEqual([{ id: review.id, decision: { action: 'approve', model: review.subject.choice.model, request: sent } }]),
  )
  expect(faults).toEqual([])
})

test('models that change while a prompt is looked at are offered at once, and nothing that was typed is lost', async () => {
  const { desk, page, faults } = await pages.open([review])
  await awake(page)
  await edit(page, 'Instructions (system prompt)', 'Answer in one sentence.')
  await modelField(page).selectOption('ollama:qwen3:4b')

  const added = { model: 'lab:m1', estimate: { inputTokens: 412, outputTokens: 1000 }, notes: [] }
  const [first] = review.subject.models!
  desk.change({ ...review, draft: { ...request, systemPrompt: 'Answer in one sentence.' }, subject: { ...review.subject, models: [first!, added] } })
  await modelField(page).locator('option', { hasText: 'lab:m1' }).waitFor({ state: 'attached' })
  const now = [await modelField(page).inputValue(), await modelField(page).locator('option', { hasText: 'qwen3' }).count()]
  await modelField(page).selectOption('lab:m1')
  await bar(page).getByRole('button', { name: 'Approve' }).first().click()

  const sent = { ...request, systemPrompt: 'Answer in one sentence.' }
  await eventually(() => expect(desk.decisions).toEqual([{ id: review.id, decision: { action: 'approve', model: 'lab:m1', request: sent } }]))
  expect([now, faults]).toEqual([['anthropic:claude-sonnet-4-5', 0], []])
})
