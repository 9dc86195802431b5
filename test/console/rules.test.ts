import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { eventually } from '../fixtures/deciding-page.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const schema = 'ab'.repeat(32)
const seat = { type: 'object', properties: { seat: { type: 'string', title: 'Seat' }, meal: { type: 'string', title: 'Meal', default: 'none' } } } as const

test('a rule of a question is edited whole: its words, its form, the values that answer it, its end and its limits', async () => {
  const { desk, page, faults } = await pages.open([])
  desk.answers.set('rules/change', () => ({ status: 'changed', text: '' }))
  await page.evaluate("location.hash = '#/servers/travel'")
  await page.getByText('answer by itself').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'answer by itself' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the rule' })

  await dialog.getByLabel('With this message').fill('Which seat*')
  await dialog.getByLabel('The values that answer it (JSON)').fill('{ "seat": ')
  await dialog.getByText('The values have to be a JSON object').first().waitFor()
  await dialog.getByLabel('The values that answer it (JSON)').fill('{ "seat": "7C" }')
  await dialog.getByLabel('Until (last day)').fill('')
  await dialog.getByText('one that answers a form needs an end').waitFor()
  await dialog.getByLabel('Until (last day)').fill('2027-01-31')
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByLabel('Requests a minute').fill('0.x')
  await dialog.getByText('A limit is a number.').first().waitFor()
  await dialog.getByLabel('Requests a minute').fill('3')
  await dialog.getByLabel('Cost a day (USD)').pressSequentially('0.25')
  await dialog.getByRole('button', { name: 'Write it' }).click()

  await eventually(() =>
    expect(desk.calls.find(({ name }) => name === 'rules/change')?.request).toEqual({
      index: 1,
      before: expect.objectContaining({ content: { seat: '12A' }, schema }) as unknown,
      rule: {
        server: 'travel',
        request: 'elicitation',
        mode: 'form',
        message: 'Which seat*',
        schema,
        decision: 'allow',
        content: { seat: '7C' },
        until: '2027-01-31',
        limits: { requestsPerMinute: 3, costPerDay: 0.25 },
      },
    }),
  )
  expect(faults).toEqual([])
})

test('values that answer a form are not written for every server, nor for whatever form', async () => {
  const { page } = await pages.open([])
  await page.evaluate("location.hash = '#/servers/travel'")
  await page.getByRole('listitem').filter({ hasText: 'answer by itself' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('For', { exact: true }).selectOption('*')
  await dialog.getByText('Values answer one form of one server only').waitFor()
  await dialog.getByLabel('For', { exact: true }).selectOption('travel')
  await dialog.getByLabel('Fingerprint of the form').fill('')
  await dialog.getByText('Values answer one form of one server only').waitFor()
  expect(await dialog.getByRole('button', { name: 'Write it' }).isDisabled()).toBe(true)
})

test('a form that was filled in becomes a rule, with an end, and is sent once the rule is written', async () => {
  const review = formReview('one', seat)
  const { desk, page } = await pages.open([{ ...review, subject: { ...review.subject, fingerprint: schema } }])
  desk.answers.set('rules/add', () => ({ status: 'changed', text: '' }))
  await page.getByRole('textbox', { name: 'Seat' }).fill('12A')
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' }).waitFor()
  await page.getByRole('button', { name: 'More ways to approve' }).click()
  await page.getByRole('menuitem', { name: 'always answer like this' }).click()
  const dialog = page.getByRole('dialog', { name: 'Always answer this form like this' })
  const isOff = await dialog.getByRole('button', { name: 'Write it' }).isDisabled()
  await dialog.getByLabel('Until (last day)').fill('2027-01-31')
  await dialog.getByRole('button', { name: 'Write it' }).click()

  await eventually(() => expect(desk.decisions).toEqual([{ id: 'one', decision: { action: 'accept', content: { seat: '12A' } } }]))
  expect([isOff, desk.calls.find(({ name }) => name === 'rules/add')?.request]).toEqual([
    true,
    {
      first: true,
      rule: {
        server: 'travel',
        request: 'elicitation',
        mode: 'form',
        message: { exactly: review.subject.message },
        schema,
        decision: 'allow',
        content: { seat: '12A', meal: 'none' },
        until: '2027-01-31',
      },
    },
  ])
})

test('a form that asks for a password, or of a server that nobody named, becomes no rule', async () => {
  const plain = formReview('two', seat)
  const { page } = await pages.open([formReview('one'), { ...plain, asker: { ...plain.asker, named: false } }])
  for (const id of ['one', 'two']) {
    await page.evaluate(`location.hash = '#/inbox/${id}'`)
    await page.locator(`a[href="#/inbox/${id}"][aria-current]`).waitFor()
    await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' }).waitFor()
    expect(await page.getByRole('button', { name: 'More ways to approve' }).count()).toBe(0)
  }
})

test('what a server may spend is set on its page', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('servers/limits', () => ({ status: 'changed', text: '' }))
  await page.evaluate("location.hash = '#/servers/travel'")
  await page.getByRole('button', { name: 'Set limits' }).click()
  await page.getByLabel('Cost a day (USD)').fill('')
  await page.getByLabel('Tokens a day').fill('50000')
  await page.getByRole('button', { name: 'Write it' }).click()

  await eventually(() =>
    expect(desk.calls.find(({ name }) => name === 'servers/limits')?.request).toEqual({
      name: 'travel',
      before: { costPerDay: 0.5 },
      limits: { tokensPerDay: 50000 },
    }),
  )
})
