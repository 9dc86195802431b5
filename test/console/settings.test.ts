import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { eventually } from '../fixtures/deciding-page.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const written = '{ "provider": "openai", "model": "gpt-5", "apiKey": "${KEY}" }'

test('a model is added by hand: what would be written is seen first, and the key is never typed', async () => {
  const { desk, page, faults } = await pages.open([])
  desk.answers.set('models/add', ({ preview }) => ({ status: preview === true ? 'preview' : 'changed', text: written }))
  await page.evaluate("location.hash = '#/settings'")
  await page.getByRole('button', { name: 'Add a model' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a model' })
  await dialog.getByRole('textbox', { name: 'Model' }).waitFor()
  const isOff = await dialog.getByRole('button', { name: 'Show what is written' }).isDisabled()

  await dialog.getByLabel('Provider').fill('openai')
  await dialog.getByRole('textbox', { name: 'Model' }).fill('gpt-5')
  await dialog.getByLabel('Its key').selectOption('variable')
  await dialog.getByLabel('Name of the variable').fill('KEY')
  const barriers = await pages.findBarriers(page)
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByText(written).first().waitFor()
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  const entry = { provider: 'openai', model: 'gpt-5', key: { kind: 'variable', name: 'KEY' } }
  expect(desk.calls.filter(({ name }) => name === 'models/add').map(({ request }) => request)).toEqual([
    { entry, preview: true },
    { entry, preview: false },
  ])
  expect([isOff, await page.locator('input[type=password]').count(), barriers, faults]).toEqual([true, 0, [], []])
})

test('what the config cannot take is said in the dialog, and goes with the next keystroke', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('models/add', () => ({ status: 'refused', fault: { code: 'CONFIG_INVALID', message: 'config.jsonc:9:1: no such provider' } }))
  await page.evaluate("location.hash = '#/settings'")
  await page.getByRole('button', { name: 'Add a model' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a model' })
  await dialog.getByLabel('Provider').fill('opnai')
  await dialog.getByRole('textbox', { name: 'Model' }).fill('gpt-5')
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByText('no such provider').first().waitFor()

  await dialog.getByLabel('Provider').fill('openai')

  await dialog.getByText('no such provider').first().waitFor({ state: 'detached' })
})

test('models of this computer are found, and one of them is taken into the dialog', async () => {
  const { page, faults } = await pages.open([])
  await page.evaluate("location.hash = '#/settings'")
  await page.getByRole('button', { name: 'Look on this computer' }).click()
  const found = page.getByRole('dialog', { name: 'Look on this computer' })
  await found.getByText('gemma3:4b').waitFor()
  const barriers = await pages.findBarriers(page)
  await found.getByRole('button', { name: 'Add…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a model' })
  await dialog.getByLabel('Provider').waitFor()

  const fields = [await dialog.getByLabel('Provider').inputValue(), await dialog.getByRole('textbox', { name: 'Model' }).inputValue()]
  expect([fields, barriers, faults]).toEqual([['ollama', 'gemma3:4b'], [], []])
})

test('a model is tried, and taken out only by a second press', async () => {
  const { desk, page } = await pages.open([])
  await page.evaluate("location.hash = '#/settings'")
  const row = page.getByRole('listitem').filter({ hasText: 'ollama:qwen3:4b' })
  await row.getByRole('button', { name: 'Test' }).click()
  await row.getByText('answered in 812 ms').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  const before = desk.calls.filter(({ name }) => name === 'models/remove').length
  await row.getByRole('button', { name: 'Really remove?' }).click()

  await eventually(() =>
    expect(desk.calls.filter(({ name }) => name === 'models/remove').map(({ request }) => request)).toEqual([
      { id: 'ollama:qwen3:4b', before: 'mark-of-qwen' },
    ]),
  )
  expect(before).toBe(0)
})

test('limits of all servers together are set where their use is seen', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('limits/set', () => ({ status: 'changed', text: '' }))
  await page.evaluate("location.hash = '#/usage'")
  await page.getByText('$0.61 of $2.00').waitFor()
  await page.getByRole('button', { name: 'Set limits: All servers together' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set limits' })
  await dialog.getByLabel('Cost a day (USD)').fill('5')
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  await eventually(() =>
    expect(desk.calls.find(({ name }) => name === 'limits/set')?.request).toEqual({ scope: 'total', before: { costPerDay: 2 }, limits: { costPerDay: 5 } }),
  )
})

test('the end of a consent is moved on the page of its server, and never to a day that is over', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('grants/change', () => ({ changed: true }))
  await page.evaluate("location.hash = '#/servers/travel'")
  await page.getByRole('button', { name: 'Change the end: It is told /home/ada/maps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the end' })
  await dialog.getByLabel('Until (last day)').fill('2020-01-01')
  await dialog.getByText('This day is over.').waitFor()
  const isOff = await dialog.getByRole('button', { name: 'Set the end' }).isDisabled()
  await dialog.getByLabel('Until (last day)').fill('2099-12-31')
  await dialog.getByRole('button', { name: 'Set the end' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect([isOff, desk.calls.find(({ name }) => name === 'grants/change')?.request]).toEqual([true, { id: 'grant-1', until: '2099-12-31' }])
})

test('what a screen shows is asked for anew each time that it is opened', async () => {
  const { desk, page } = await pages.open([])
  const asked = (): number => desk.calls.filter(({ name }) => name === 'usage/list').length
  for (const count of [1, 2]) {
    await page.evaluate("location.hash = '#/usage'")
    await eventually(() => expect(asked()).toBe(count))
    await page.evaluate("location.hash = '#/inbox'")
    await page.getByText('Nothing waits for you').first().waitFor()
  }

  expect(asked()).toBe(2)
})
