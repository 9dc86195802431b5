import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import type { BrowsedFolder } from '../../src/console-api/contract.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { eventually } from '../fixtures/deciding-page.ts'
import type { ScriptedConsole } from '../fixtures/scripted-console.ts'
import { foldersReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const folderAt = (path: string, more: Partial<BrowsedFolder> = {}): BrowsedFolder => ({
  path,
  parent: '/home',
  folders: [],
  more: false,
  status: 'ok',
  uri: `file://${path}`,
  level: 'ok',
  evidence: [],
  ...more,
})

/** A question for folders with none to propose: the picker starts at home, which only the desk knows. */
const nothingFound = () => ({ ...foldersReview('folders'), subject: { enforcement: 'told', candidates: [] } }) as const

const looks = (desk: ScriptedConsole): readonly unknown[] =>
  desk.calls.flatMap(({ name, request }) => (name === 'roots/browse' ? [request['path'] ?? 'home'] : []))

async function openPicker(page: Page, words: typeof en.folders) {
  await page.getByRole('button', { name: words.another }).click()
  const picker = page.getByRole('dialog', { name: words.pickerTitle })
  return {
    picker,
    field: picker.getByRole('textbox'),
    take: picker.getByRole('button', { name: words.here }),
    retry: picker.getByRole('button', { name: /^(Try again|다시 시도|重试)$/ }),
  }
}

test('an answer of the desk changes nothing in the field while somebody selects what is there and puts a path in its place', async () => {
  const { desk, page } = await pages.open([nothingFound()])
  let answerHome = (): void => undefined
  desk.answers.set('roots/browse', ({ path }) =>
    path === undefined ? new Promise((resolve) => (answerHome = () => resolve(folderAt('/home/ada')))) : folderAt(path as string),
  )
  const { picker, field, take } = await openPicker(page, en.folders)

  await eventually(() => expect(looks(desk)).toEqual(['home']))
  await field.selectText()
  const answered = page.waitForResponse((response) => response.url().endsWith('roots/browse'))
  answerHome()
  await (await answered).finished()
  await picker.getByText(en.folders.noFolders).waitFor()
  await page.keyboard.insertText('/home/ada/trip')
  await picker.getByText(en.folders.goFirst).waitFor()
  const isOffBefore = await take.isDisabled()
  await page.keyboard.press('Enter')
  await take.click()
  await picker.waitFor({ state: 'detached' })

  expect([isOffBefore, looks(desk)]).toEqual([true, ['home', '/home/ada/trip']])
  expect(await page.getByRole('checkbox', { name: '/home/ada/trip' }).isChecked()).toBe(true)
})

test('a field that somebody only visited shows the folder that is taken', async () => {
  const { desk, page } = await pages.open([nothingFound()])
  let answerHome = (): void => undefined
  desk.answers.set('roots/browse', () => new Promise((resolve) => (answerHome = () => resolve(folderAt('/home/ada')))))
  const { picker, field, take } = await openPicker(page, en.folders)
  await eventually(() => expect(looks(desk)).toEqual(['home']))

  await field.focus()
  answerHome()
  await picker.getByText(en.folders.noFolders).waitFor()
  await page.keyboard.press('Tab')

  await eventually(async () => expect(await field.inputValue()).toBe('/home/ada'))
  expect(await take.isEnabled()).toBe(true)
})

test('a disk that gave no answer is looked at once more by itself, then as often as somebody wants, and says why its folder cannot be taken', async () => {
  const { desk, page } = await pages.open([nothingFound()])
  let isThere = false
  desk.answers.set('roots/browse', () => folderAt('/mnt/net/trip', isThere ? {} : { status: 'unreachable', unlisted: true }))
  const { picker, take, retry } = await openPicker(page, en.folders)

  await picker.getByText(en.folders.notTaken.unreachable).waitFor()
  await eventually(() => expect(looks(desk)).toHaveLength(2))
  const isOff = await take.isDisabled()
  isThere = true
  await retry.click()
  await take.click()
  await picker.waitFor({ state: 'detached' })

  expect([isOff, looks(desk).length]).toEqual([true, 3])
})

test.each([
  ['en', en, 'missing'],
  ['ko', ko, 'missing'],
  ['zh', zh, 'denied'],
] as const)('in %s the picker says why a folder cannot be taken, and has it tried again', async (language, catalogue, status) => {
  const { desk, page, faults } = await pages.open([nothingFound()], { locale: language })
  desk.answers.set('roots/browse', () => folderAt('/home/ada/trip', { status, unlisted: true }))
  const { picker, take, retry } = await openPicker(page, catalogue.folders as typeof en.folders)

  await picker.getByText(catalogue.folders.notTaken[status]).waitFor()
  const isOff = await take.isDisabled()
  await retry.click()

  await eventually(() => expect(looks(desk)).toHaveLength(2))
  expect([isOff, faults]).toEqual([true, []])
  expect(await pages.findBarriers(page)).toEqual([])
})
