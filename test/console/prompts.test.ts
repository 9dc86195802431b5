import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, bar, eventually, press } from '../fixtures/deciding-page.ts'
import { completionReview, promptReview } from '../fixtures/scripted-reviews.ts'

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

test('a mark of which nobody can tell what it stands for stays, and that is said', async () => {
  const taken = saying('user=[redacted:key] pin=[redacted:key]')
  const redaction = { parts: [{ path: 'messages[0].content[0].text', kinds: ['key', 'key'] }], original: saying('user=one pin=two') }
  const { page } = await pages.open([{ ...review, subject: { ...review.subject, request: taken, redaction }, draft: taken }])
  await awake(page)
  await edit(page, 'Message 1 of user', 'pin=[redacted:key] user=[redacted:key]')
  await page.getByRole('button', { name: 'Put back what was taken out' }).click()

  await page.getByText('A mark stays').waitFor()
  await page.getByText('pin=[redacted:key] user=[redacted:key]').first().waitFor()
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

test.each(['at its address', 'as the first that waits'])(
  'whoever looks %s at an answer that does not come is led back to its prompt, with why',
  async (how) => {
    const { desk, page, faults } = await pages.open([completionReview('answer', 'streaming'), promptReview('another')])
    await page.locator('article[data-review="answer"]').waitFor()
    if (how === 'at its address') await page.evaluate("location.hash = '#/inbox/answer'")
    await page.getByText('The model is writing…').waitFor()

    const failure = { key: 'model-busy', facts: { model: 'lab:tiny', status: '429' }, sentence: 'lab:tiny has no capacity left (HTTP 429)' }
    desk.end('answer', { outcome: 'withdrawn', failure, at: Date.now() })
    await page.locator('article[data-review="answer"]').getByText('lab:tiny has no capacity left for this key (HTTP 429).').waitFor()
    const isWriting = await page.getByText('The model is writing…').count()
    const again = promptReview('again')
    desk.open({ ...again, subject: { ...again.subject, failed: failure }, follows: 'answer' })
    desk.tell({ type: 'review-dismissed', id: 'answer' })
    const pane = page.locator('article[data-review="again"]')
    await pane.getByRole('alert').getByText('still waits').waitFor()
    await press(page, 'Try again')

    await eventually(() => expect(desk.decisions).toMatchObject([{ id: 'again', decision: { action: 'approve' } }]))
    expect([isWriting, faults]).toEqual([0, []])
  },
)

test('a question that was decided in another window says so at its address, and nothing decides it again', async () => {
  const { desk, page } = await pages.open([review])
  await page.evaluate(`location.hash = '#/inbox/${review.id}'`)
  await awake(page)
  desk.end(review.id, { outcome: 'decided', action: 'deny', by: 'person', surface: 'terminal', at: Date.now() })

  await page.getByText('Answered in another window (terminal)').waitFor()
  expect(await page.locator(`article[data-review="${review.id}"] [inert]`).count()).toBe(1)
})

test('a picture of a server is shown in a frame that has no origin and runs nothing, as large as it is, and no key stops there', async () => {
  const { page, context, faults } = await pages.open([promptReview()], { viewport: { width: 390, height: 844 } })
  await page.evaluate("location.hash = '#/inbox/review-4'")
  const picture = page.locator('iframe[title*="image/png"]')
  await picture.scrollIntoViewIfNeeded()
  await eventually(() => expect(page.frames().some((frame) => frame.url().includes('/media/'))).toBe(true))
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const own = await page.evaluate(`(() => {
    const frame = document.querySelector('iframe[title*="image/png"]')
    return [frame.getAttribute('sandbox'), frame.contentDocument, frame.tabIndex, document.querySelectorAll('#pane img').length, frame.clientWidth > 200]
  })()`)
  const answer = await page.request.get(`${new URL(page.url()).origin}/media/chart`)

  expect([own, frameTree.frame.securityOrigin, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
    ['', null, -1, 0, true],
    new URL(page.url()).origin,
    390,
  ])
  expect(answer.headers()['content-security-policy']).toMatch(/; frame-ancestors 'self'; sandbox$/)
  expect(faults).toEqual([])
}, 60_000)
