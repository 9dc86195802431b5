import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleDecision, ReviewDetail } from '../../src/console-api/contract.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, bar, eventually, press } from '../fixtures/deciding-page.ts'
import {
  budgetReview,
  completionReview,
  foldersReview,
  formReview,
  keptFoldersReview,
  promptReview,
  silentClientReview,
  urlReview,
  urlWaitReview,
} from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

interface Case {
  readonly review: ReviewDetail
  readonly act: (page: Page) => Promise<void>
  readonly decision: ConsoleDecision
}

const cases: Readonly<Record<string, Case>> = {
  'a form is filled in and sent as it is shown': {
    review: formReview(),
    act: async (page) => {
      await page.getByRole('group', { name: 'Confirm the booking' }).getByText('Yes').click()
      await page.getByText('Aisle', { exact: true }).first().click()
      await page.getByLabel('Room').selectOption({ label: 'suite' })
      await page.getByRole('checkbox', { name: 'Breakfast' }).check()
      await page.getByLabel('Highest price').fill('2500.50')
      await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
      await page.getByRole('textbox', { name: 'Day of departure' }).fill('2026-06-15')
      await page.getByRole('textbox', { name: 'Password' }).fill('hunter2')
      await press(page, 'Send')
    },
    decision: {
      action: 'accept',
      content: {
        confirmBooking: true,
        seatPreference: 'aisle',
        roomType: 'suite',
        extras: ['breakfast'],
        budget: 2500.5,
        email: 'ada@example.com',
        departure: '2026-06-15',
        passphrase: 'hunter2',
      },
    },
  },
  'a form is declined': { review: formReview(), act: (page) => press(page, 'Decline'), decision: { action: 'decline' } },
  'a form is closed without an answer': { review: formReview(), act: (page) => press(page, 'Cancel'), decision: { action: 'cancel' } },
  'a page is agreed to, and opened by the person': {
    review: urlReview(),
    act: async (page) => {
      await awake(page)
      await page.getByRole('button', { name: 'More ways to approve' }).click()
      await page.getByRole('menuitem', { name: 'I open it myself' }).click()
    },
    decision: { action: 'accept' },
  },
  'a person who is done on a page goes on': { review: urlWaitReview(), act: (page) => press(page, 'Continue'), decision: { action: 'continue' } },
  'a prompt is approved as it was': {
    review: promptReview(),
    act: (page) => press(page, 'Approve'),
    decision: { action: 'approve', model: promptReview().subject.choice.model },
  },
  'a model is approved for this run': {
    review: promptReview(),
    act: async (page) => {
      await awake(page)
      await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('ollama:qwen3:4b')
      await page.getByRole('button', { name: 'More ways to approve' }).click()
      await page.getByRole('menuitem', { name: "don't ask again in this run" }).click()
    },
    decision: { action: 'approve', model: 'ollama:qwen3:4b', remember: { for: 'run' } },
  },
  'an answer is written in place of a model': {
    review: promptReview(),
    act: async (page) => {
      await bar(page).getByRole('button', { name: 'Write the answer myself' }).click()
      await page.getByLabel('Your answer').fill('Take the 10:05.')
      await press(page, 'Send to travel')
    },
    decision: { action: 'write', completion: { content: [{ type: 'text', text: 'Take the 10:05.' }], model: 'person', stopReason: 'endTurn' } },
  },
  'an answer of a model is withheld': { review: completionReview(), act: (page) => press(page, 'Withhold'), decision: { action: 'deny' } },
  'a budget gets more room': { review: budgetReview(), act: (page) => press(page, 'Raise'), decision: { action: 'raise', by: 1 } },
  'a folder is told for this run': {
    review: foldersReview(),
    act: async (page) => {
      await page.getByRole('checkbox', { name: '/home/ada/work/trip', exact: false }).first().check()
      await press(page, 'Tell these folders')
    },
    decision: { action: 'grant', roots: [{ path: '/home/ada/work/trip' }] },
  },
  'a folder with a warning is told only after it was read': {
    review: foldersReview(),
    act: async (page) => {
      await page.getByRole('checkbox').nth(2).check()
      await awake(page)
      await bar(page).getByRole('button', { name: 'Tell these folders', disabled: true }).waitFor()
      await page.getByLabel('I read the warning').check()
      await press(page, 'Tell these folders')
    },
    decision: { action: 'grant', roots: [{ path: '/home/ada', confirmed: true }] },
  },
  'no folder is told': { review: foldersReview(), act: (page) => press(page, 'Tell none'), decision: { action: 'deny' } },
  'a server that keeps its folders is started again': {
    review: keptFoldersReview(),
    act: (page) => press(page, 'Start it again'),
    decision: { action: 'restart' },
  },
  'a server that could not be started again is ended': {
    review: {
      ...keptFoldersReview(),
      subject: { reason: 'at-start', known: ['file:///home/ada/work/trip'], canRestart: true, done: 'nothing', fault: 'no sandbox' },
    },
    act: async (page) => {
      await page.getByRole('alert').filter({ hasText: 'no sandbox' }).waitFor()
      await press(page, 'End it')
    },
    decision: { action: 'end' },
  },
  'what a client does not show is answered here from now on': {
    review: silentClientReview(),
    act: (page) => press(page, 'Answer here'),
    decision: { action: 'take-over' },
  },
  'what a client does not show is answered here each time': {
    review: { ...silentClientReview(), asker: { ...silentClientReview().asker, client: 'Cursor' } },
    act: async (page) => {
      await awake(page)
      await page.getByRole('button', { name: 'More ways to approve' }).click()
      await page.getByRole('menuitem', { name: 'Answer here each time' }).click()
    },
    decision: { action: 'take-over', always: true },
  },
}

test.each(Object.entries(cases))('%s', async (_, { review, act, decision }) => {
  const { desk, page, faults } = await pages.open([review])

  await act(page)

  await eventually(() => expect(desk.decisions).toEqual([{ id: review.id, decision }]))
  await page.getByText('Nothing waits for you').or(page.getByText('done today')).first().waitFor()
  expect(faults).toEqual([])
})

test('Escape closes an open menu, and not the question under it', async () => {
  const { page, desk } = await pages.open([formReview()])
  await awake(page)
  const button = bar(page).locator('button[aria-haspopup="menu"]').first()
  const menu = page.locator('[role="menu"]')

  await button.click()
  await menu.first().waitFor()
  // Until the menu has the focus, the button has it: then the key is nobody's.
  const isLeft = await page.evaluate(
    `document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))`,
  )
  await page.locator('[role="menu"]:focus-within').waitFor()
  await page.keyboard.press('Escape')
  await menu.first().waitFor({ state: 'hidden' })

  expect([isLeft, desk.decisions]).toEqual([true, []])
})
