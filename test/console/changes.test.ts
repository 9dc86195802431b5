import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedConsole } from '../fixtures/scripted-console.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { scriptedAnswers } from '../fixtures/scripted-answers.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const travel = scriptedAnswers.calls['servers/get']!

async function goTo(page: Page, screen: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${screen}'`)
  await page.locator('main h1').first().waitFor()
}

async function openDialog(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

const requestsOf = (desk: ScriptedConsole, call: string): readonly object[] => desk.calls.filter(({ name }) => name === call).map(({ request }) => request)

test('what another program wrote into its file meanwhile is shown in place of what was seen, and written only after that was seen too', async () => {
  const { desk, page, faults } = await pages.open([])
  let text = '"weather": { "command": "npx" }'
  desk.answers.set('import/apply', ({ preview, shown }) => {
    if (preview === true) return { status: 'preview', text, shown: text }
    return shown === text ? { status: 'changed', text } : { status: 'stale' }
  })
  await goTo(page, 'servers')
  const dialog = await openDialog(page, 'Import')
  await dialog.getByRole('checkbox', { name: 'weather', exact: true }).check()
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByText(text).first().waitFor()
  const seen = text
  text = '"weather": { "command": "rm" }'

  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'changed meanwhile' }).waitFor()
  await dialog.getByText(text).first().waitFor()
  const barriers = await pages.findBarriers(page)
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  const picks = [{ source: 'cursor', name: 'weather' }]
  expect(requestsOf(desk, 'import/apply')).toEqual([
    { picks, preview: true },
    { picks, preview: false, shown: seen },
    { picks, preview: true },
    { picks, preview: false, shown: text },
  ])
  expect([barriers, faults]).toEqual([[], []])
})

test('what the config says of a name already is told before a new server takes the name', async () => {
  const { desk, page, faults } = await pages.open([])
  const rule = { server: 'weather', request: 'sampling', decision: 'allow', until: '2030-12-31' }
  const named = [{ server: 'weather', folders: ['/home/ada/secret'], rules: [rule], settings: true }]
  desk.answers.set('servers/add', ({ preview }) =>
    preview === true ? { status: 'preview', text: '"weather": {}', shown: 'as seen', named } : { status: 'changed', text: '' },
  )
  await goTo(page, 'servers')
  const dialog = await openDialog(page, 'Add a server')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('weather')
  await dialog.getByRole('textbox', { name: 'Command', exact: true }).fill('npx')
  await dialog.getByRole('button', { name: 'Show what is written' }).click()

  const warning = dialog.getByRole('alert').filter({ hasText: 'a server called weather' })
  await warning.waitFor()
  const words = await warning.innerText()
  const barriers = await pages.findBarriers(page)
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  for (const part of ['It will hold for the new one', '/home/ada/secret', '"decision":"allow"', 'settings for its model requests'])
    expect(words).toContain(part)
  expect(requestsOf(desk, 'servers/add').at(-1)).toMatchObject({ name: 'weather', preview: false, shown: 'as seen' })
  expect([barriers, faults]).toEqual([[], []])
})

test('arguments and values that no field can show stay as they are: their fields cannot be written in, and say where they can', async () => {
  const { desk, page, faults } = await pages.open([])
  const entry = { kind: 'stdio', command: 'node', args: ['travel-server.js', 'two\nlines'], env: [{ name: 'A=B', value: 'x' }], disabled: false } as const
  desk.answers.set('servers/get', () => ({ ...travel, entry }))
  desk.answers.set('servers/change', ({ preview }) => ({ status: preview === true ? 'preview' : 'changed', text: '"travel": {}' }))
  await goTo(page, 'servers/travel')
  const dialog = await openDialog(page, 'Edit the entry')
  const fields = [dialog.getByRole('textbox', { name: 'Arguments' }), dialog.getByRole('textbox', { name: 'Environment' })]

  for (const field of fields) await field.press('x')
  await dialog.getByRole('textbox', { name: 'Command', exact: true }).fill('bun')
  const writable = await Promise.all(fields.map((field) => field.isEditable()))
  const barriers = await pages.findBarriers(page)
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  const { args, env } = entry
  expect(writable).toEqual([false, false])
  expect(requestsOf(desk, 'servers/change').at(-1)).toEqual({
    name: 'travel',
    before: 'mark-of-travel',
    entry: { kind: 'stdio', command: 'bun', args, env },
    preview: false,
  })
  expect([barriers, faults]).toEqual([[], []])
})

test('an entry that was changed elsewhere is not overwritten, and what was typed is not lost: it stands on top of what is there now', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('servers/change', ({ before }) => (before === 'mark-of-travel' ? { status: 'stale' } : { status: 'preview', text: '"travel": {}' }))
  await goTo(page, 'servers/travel')
  const dialog = await openDialog(page, 'Edit the entry')
  const entry = { kind: 'stdio', command: 'deno', args: ['another.js'], env: [{ name: 'API_KEY' }], disabled: false } as const
  desk.answers.set('servers/get', () => ({ ...travel, mark: 'mark-of-another', entry }))
  await dialog.getByRole('textbox', { name: 'Command', exact: true }).fill('bun')
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByText('What you changed is kept here').waitFor()
  const fields = [dialog.getByRole('textbox', { name: 'Command', exact: true }), dialog.getByRole('textbox', { name: 'Arguments' })]
  const shown = await Promise.all(fields.map((field) => field.inputValue()))
  const barriers = await pages.findBarriers(page)
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByRole('button', { name: 'Write it' }).waitFor()

  expect([shown, barriers]).toEqual([['bun', 'another.js'], []])
  expect(requestsOf(desk, 'servers/change').at(-1)).toEqual({
    name: 'travel',
    before: 'mark-of-another',
    entry: { kind: 'stdio', command: 'bun', args: ['another.js'], env: [{ name: 'API_KEY' }] },
    preview: true,
  })
})

const ruleRows = travel.rules
const placed = (rules: readonly object[]): object => ({ ...travel, rules: rules.map((rule, index) => ({ ...rule, index })) })

test.each([
  ['that stands elsewhere by now is changed where it stands', [{ decision: 'deny', expired: false }, ...ruleRows], 'rules/change', 1],
  ['that is gone by now is not lost: it is written as one of its own', ruleRows.slice(1), 'rules/add', undefined],
] as const)('a rule %s', async (_, rules, call, index) => {
  const { desk, page } = await pages.open([])
  desk.answers.set('rules/change', ({ index: place }) => ({ status: place === 0 ? 'stale' : 'changed', text: '' }))
  desk.answers.set('rules/add', () => ({ status: 'changed', text: '' }))
  await goTo(page, 'servers/travel')
  const dialog = await openDialog(page, 'Edit')
  desk.answers.set('servers/get', () => placed(rules))
  await dialog.getByLabel('Until (last day)').fill('2031-01-31')
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'nothing was written' }).waitFor()
  const kept = await dialog.getByLabel('Until (last day)').inputValue()
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  const { index: _index, expired: _expired, ...before } = ruleRows[0]!
  const rule = { ...before, until: '2031-01-31' }
  expect(kept).toBe('2031-01-31')
  expect(requestsOf(desk, call).at(-1)).toEqual(index === undefined ? { rule } : { index, before, rule })
})

test('limits that were changed elsewhere keep what was typed for the others', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('servers/limits', ({ before }) => ({ status: JSON.stringify(before) === '{"costPerDay":0.5}' ? 'stale' : 'changed', text: '' }))
  await goTo(page, 'servers/travel')
  const dialog = await openDialog(page, 'Set limits')
  desk.answers.set('servers/get', () => ({ ...travel, ownLimits: { costPerDay: 3 } }))
  await dialog.getByLabel('Tokens a day').fill('1000')
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.getByText('What you changed is kept here').waitFor()
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(requestsOf(desk, 'servers/limits').at(-1)).toEqual({ name: 'travel', before: { costPerDay: 3 }, limits: { costPerDay: 3, tokensPerDay: 1000 } })
})

test('a warning that was read of one folder is not taken for one of another', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('roots/add', ({ path, confirmed }) =>
    confirmed === true
      ? { status: 'added' }
      : { status: 'unconfirmed', warning: { key: path === '/home/ada' ? 'concern-home' : 'concern-system', sentence: '' } },
  )
  await goTo(page, 'servers/travel')
  const dialog = await openDialog(page, 'Add a folder')
  const folder = dialog.getByRole('textbox', { name: 'Folder', exact: true })
  await folder.fill('/home/ada')
  await dialog.getByRole('button', { name: 'Add a folder' }).click()
  await dialog.getByText('This is your home folder').waitFor()

  await folder.fill('/etc')
  await dialog.getByText('This is your home folder').waitFor({ state: 'detached' })
  const isOffered = await dialog.getByRole('button', { name: 'Tell it all the same' }).count()
  await dialog.getByRole('button', { name: 'Add a folder' }).click()
  await dialog.getByText('This folder belongs to the system').waitFor()
  await dialog.getByRole('button', { name: 'Tell it all the same' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(isOffered).toBe(0)
  expect(requestsOf(desk, 'roots/add').map((request) => ['path', 'confirmed'].map((name) => (request as Record<string, unknown>)[name]))).toEqual([
    ['/home/ada', undefined],
    ['/etc', undefined],
    ['/etc', true],
  ])
})

test('a folder of this run is taken back where it stands, and one of the config that cannot be taken out stays, with the reason', async () => {
  const { desk, page, faults } = await pages.open([])
  const run = { server: 'files', source: 'run', path: '/home/ada/notes', status: 'ok', uri: 'file:///home/ada/notes' } as const
  const away = { ...run, path: '/home/ada/old', away: 'node files.js' }
  let roots: readonly object[] = [...scriptedAnswers.calls['roots/list']!.roots, run, away]
  desk.answers.set('roots/list', () => ({ roots }))
  desk.answers.set('roots/end-run', () => {
    roots = roots.filter((one) => one !== run && one !== away)
    return { ended: true }
  })
  desk.answers.set('roots/remove', () => ({ status: 'refused', fault: { code: 'CONFIG_INVALID', message: 'config.jsonc:3:1: unknown key' } }))
  await goTo(page, 'roots')
  await page.getByText('for this run', { exact: true }).first().waitFor()
  await page.getByText('Allowed to node files.js, which is not connected now', { exact: false }).waitFor()

  await page.getByRole('button', { name: 'Revoke: /home/ada/notes' }).click()
  await expect.poll(() => page.getByText('for this run', { exact: true }).count(), { timeout: 10_000 }).toBe(0)
  await page.getByRole('button', { name: 'Remove: /home/ada/work/trip' }).click()
  await page.getByRole('alert').filter({ hasText: 'config.jsonc:3:1: unknown key' }).waitFor()

  expect(requestsOf(desk, 'roots/end-run')).toEqual([{ server: 'files', path: '/home/ada/notes' }])
  expect(requestsOf(desk, 'roots/remove')).toEqual([{ server: 'travel', path: '/home/ada/work/trip', before: { name: 'Trip' } }])
  expect(faults).toEqual([])
})

test('a server is switched off as it was shown, and one that is another by now is said to be', async () => {
  const { desk, page } = await pages.open([])
  desk.answers.set('servers/disable', () => ({ status: 'stale' }))
  await goTo(page, 'servers/travel')

  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('alert').filter({ hasText: 'changed meanwhile' }).waitFor()

  expect(requestsOf(desk, 'servers/disable')).toEqual([{ name: 'travel', before: 'mark-of-travel', disabled: true }])
})

test('"always ask me" that cannot be written says so, holds all the same, and moves nothing on the page', async () => {
  const { desk, page, faults } = await pages.open([])
  desk.answers.set('always-ask/set', () => {
    desk.tell({ type: 'desk-changed', desk: { alwaysAsk: true, demo: true } })
    return { status: 'refused', fault: { code: 'CONFIG_INVALID', message: 'config.jsonc cannot be written (EROFS)' } }
  })
  // The tour is loaded on its own, and makes room for itself.
  await page.getByRole('complementary', { name: 'Guided tour' }).waitFor()
  const before = await page.locator('main').boundingBox()

  await page.getByRole('switch', { name: 'Always ask me' }).check({ force: true })
  await page.getByText('config.jsonc cannot be written').first().waitFor()
  await page.getByText('It holds all the same').waitFor()
  const after = await page.locator('main').boundingBox()
  const barriers = await pages.findBarriers(page)
  const isOn = await page.getByRole('switch', { name: 'Always ask me' }).isChecked()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('It holds all the same').waitFor({ state: 'detached' })

  expect([after, isOn, barriers, faults]).toEqual([before, true, [], []])
})
