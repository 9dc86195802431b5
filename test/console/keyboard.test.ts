import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, eventually } from '../fixtures/deciding-page.ts'
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

/** Goes on with the Tab key alone until something has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let count = 0; count < 120; count += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to ${String(wanted)}`)
}

const yes = 'Control+Enter'
const kinds = {
  form: [formReview, ['f', 'Space', yes], ['accept', 'decline', 'cancel']],
  url: [urlReview, [yes], ['accept', 'decline', 'cancel']],
  'url-wait': [urlWaitReview, [yes], ['continue', undefined, 'cancel']],
  prompt: [promptReview, [yes], ['approve', 'deny', 'cancel']],
  completion: [completionReview, [yes], ['approve', 'deny', 'cancel']],
  budget: [budgetReview, [yes], ['raise', 'stop', 'cancel']],
  folders: [foldersReview, ['f', 'Space', yes], ['grant', 'deny', 'cancel']],
  'kept-folders': [keptFoldersReview, [yes], ['restart', 'stand-in', 'cancel']],
  'silent-client': [silentClientReview, [yes], ['take-over', 'leave', 'cancel']],
} as const

test.each(Object.entries(kinds))(
  'a %s is answered, refused and closed with keys alone',
  async (_, [review, keys, actions]) => {
    const wanted = actions.filter((action) => action !== undefined)
    const { desk, page, faults } = await pages.open(wanted.map((action) => ({ ...review(), id: action })))
    const ways = [keys, ['d'], ['Escape']].filter((_way, index) => actions[index] !== undefined)
    for (const [index, way] of ways.entries()) {
      await page.locator(`#pane article[data-review="${wanted[index]!}"] [data-bar]`).waitFor()
      await awake(page)
      for (const key of way) await page.keyboard.press(key)
      await eventually(() => expect(desk.decisions).toHaveLength(index + 1))
    }

    expect(desk.decisions.map(({ id, decision }) => [id, decision.action])).toEqual(wanted.map((action) => [action, action]))
    expect(faults).toEqual([])
  },
  120_000,
)

test('a folder is looked for, a prompt is edited, servers are brought over and a rule is changed, with the keyboard alone', async () => {
  const { desk, page, faults } = await pages.open([foldersReview('folders'), promptReview('prompt')])
  const dialog = page.getByRole('dialog')
  const enter = async (wanted: Locator): Promise<void> => {
    await tabTo(page, wanted)
    await page.keyboard.press('Enter')
  }
  desk.answers.set('import/apply', ({ preview }) => ({ status: preview === true ? 'preview' : 'changed', text: '"weather": {}', shown: 's' }))
  desk.answers.set('rules/change', () => ({ status: 'changed', text: '' }))
  desk.answers.set('limits/set', () => ({ status: 'changed', text: '' }))

  await page.locator('#pane article[data-review="folders"] [data-bar]').waitFor()
  await enter(page.getByRole('button', { name: 'Choose another folder' }))
  await enter(dialog.getByRole('button', { name: 'Take this folder' }))
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.locator('#pane article[data-review="prompt"] [data-bar]').waitFor()
  await enter(page.getByRole('button', { name: 'Edit: Instructions (system prompt)' }))
  await tabTo(page, page.getByRole('textbox', { name: 'Instructions (system prompt)' }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('In one word.')
  await page.keyboard.press('Escape')
  await awake(page)
  await page.keyboard.press(yes)
  await eventually(() => expect(desk.decisions).toHaveLength(1))

  await page.keyboard.press('2')
  await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
  await enter(page.getByRole('button', { name: 'Import' }))
  await tabTo(page, dialog.getByRole('checkbox', { name: 'weather', exact: true }))
  await page.keyboard.press('Space')
  await enter(dialog.getByRole('button', { name: 'Show what is written' }))
  await enter(dialog.getByRole('button', { name: 'Write it' }))
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate("location.hash = '#/servers/travel'")
  await enter(page.getByRole('button', { name: 'Edit', exact: true }).first())
  await tabTo(page, dialog.getByLabel('Until (last day)'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2031-01-31')
  await enter(dialog.getByRole('button', { name: 'Write it' }))
  await dialog.waitFor({ state: 'detached' })

  const last = (name: string): object | undefined => desk.calls.findLast((call) => call.name === name)?.request
  expect(desk.decisions).toMatchObject([{ id: 'prompt', decision: { action: 'approve', request: { systemPrompt: 'In one word.' } } }])
  expect([last('import/apply'), last('rules/change'), faults]).toMatchObject([
    { picks: [{ source: 'cursor', name: 'weather' }], preview: false },
    { rule: { until: '2031-01-31' } },
    [],
  ])
}, 180_000)

test('a model is added and limits are set with the keyboard alone, and what is wrong in them is said where it stands', async () => {
  const { desk, page, faults } = await pages.open([])
  const dialog = page.getByRole('dialog')
  const enter = async (wanted: Locator): Promise<void> => {
    await tabTo(page, wanted)
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, text: string): Promise<void> => {
    await tabTo(page, dialog.getByLabel(label, { exact: true }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  desk.answers.set('models/add', ({ preview }) => ({ status: preview === true ? 'preview' : 'changed', text: '{ "provider": "lab" }' }))
  desk.answers.set('limits/set', () => ({ status: 'changed', text: '' }))

  await page.keyboard.press('8')
  await enter(page.getByRole('button', { name: 'Add a model' }))
  await type('Provider', 'lab')
  await type('Model', 'tiny')
  await type('Address (optional)', 'http://127.0.0.1:8000/v1')
  await tabTo(page, dialog.getByLabel('Its key', { exact: true }))
  await page.keyboard.type('in another')
  await type('Name of the variable', 'LAB_KEY')
  await enter(dialog.getByRole('button', { name: 'Show what is written' }))
  await dialog.getByRole('region').getByText('"provider": "lab"').waitFor()
  await enter(dialog.getByRole('button', { name: 'Write it' }))
  await dialog.waitFor({ state: 'detached' })
  // Whoever came by keyboard is where they were.
  await page.getByRole('button', { name: 'Add a model' }).and(page.locator(':focus')).waitFor()

  await page.keyboard.press('6')
  await enter(page.getByRole('button', { name: /^Set limits/ }).first())
  await type('Tokens a day', 'many')
  await dialog.getByText('A limit is a number.').waitFor()
  const isOff = await dialog.getByRole('button', { name: 'Write it' }).isDisabled()
  await type('Tokens a day', '5000')
  await enter(dialog.getByRole('button', { name: 'Write it' }))
  await dialog.waitFor({ state: 'detached' })

  const last = (name: string): object | undefined => desk.calls.findLast((call) => call.name === name)?.request
  expect([last('models/add'), last('limits/set')]).toMatchObject([
    { entry: { provider: 'lab', model: 'tiny' }, preview: false },
    { limits: { tokensPerDay: 5000 } },
  ])
  expect([isOff, faults]).toEqual([true, []])
}, 180_000)

test('every key that the overlay names is one, also where Korean letters are on the keys', async () => {
  const { desk, page } = await pages.open([formReview('one'), formReview('two'), urlReview('three')])
  const [selected, at] = [
    (id: string): Promise<void> => page.locator(`a[href="#/inbox/${id}"][aria-current]`).waitFor(),
    (key: string, code: string): Promise<void> =>
      page.evaluate(`document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${code}', bubbles: true, cancelable: true }))`),
  ]
  await selected('one')
  await page.keyboard.press('?')
  const overlay = page.getByRole('dialog', { name: 'Keyboard' })
  await overlay.getByText('Next question').waitFor()
  const named = await overlay.locator('kbd').allInnerTexts()
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'detached' })

  await page.keyboard.press('j')
  await selected('two')
  await page.keyboard.press('ArrowDown')
  await selected('three')
  await page.keyboard.press('k')
  await selected('two')
  await page.keyboard.press('ArrowUp')
  await selected('one')
  await at('ㅓ', 'KeyJ')
  await selected('two')
  await awake(page)
  await page.keyboard.press('f')
  await page.locator('#pane :focus').first().waitFor()
  await page.keyboard.press('u')
  await eventually(() => expect(page.url()).not.toContain('two'))
  await page.keyboard.press('t')
  await page.getByRole('complementary', { name: 'Guided tour' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('d')
  await eventually(() => expect(desk.decisions).toMatchObject([{ decision: { action: 'decline' } }]))

  expect(named).toEqual(['j', '↓', 'k', '↑', 'f', 'Ctrl ↵', 'd', 'Esc', 'u', '1', '2', '3', '4', '5', '6', '7', '8', 't', '?'])
}, 120_000)

test('the keys that the overlay names lead where it says', async () => {
  const { page } = await pages.open([])
  await page.getByText('Nothing waits for you').first().waitFor()
  const screens = ['Servers', 'Folders', 'Try it', 'Timeline', 'Usage', 'Audit', 'Settings']
  for (const [index, screen] of screens.entries()) {
    await page.keyboard.press('?')
    const overlay = page.getByRole('dialog', { name: 'Keyboard' })
    await overlay.getByText(screen, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'detached' })
    await page.keyboard.press(String(index + 2))
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
  }
  await page.keyboard.press('1')

  await page.getByText('Nothing waits for you').first().waitFor()
}, 120_000)
