import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { bar, eventually } from '../fixtures/deciding-page.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test.each([
  ['en', en, 'February 2031', 'Friday, February 28, 2031'],
  ['ko', ko, '2031년 2월', '2031년 2월 28일 금요일'],
  ['zh', zh, '2031年2月', '2031年2月28日星期五'],
] as const)('a day is picked with the keyboard alone, from a calendar in the language of the console (%s)', async (locale, words, month, day) => {
  // The browser speaks another language than the console does.
  const { desk, page, faults } = await pages.open([formReview()], { locale: locale === 'en' ? 'ko' : 'en', viewport: { width: 390, height: 844 } })
  desk.tell({ type: 'preferences-changed', preferences: { language: locale } })
  await page.evaluate("location.hash = '#/inbox/review-1'")
  const field = page.getByRole('textbox', { name: /^Day of departure/ })
  await field.fill('2031-03-31')

  await field.press('Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: words.common.day.pick })
  await dialog.locator('td[aria-selected="true"] button:focus').waitFor()
  await page.keyboard.press('PageUp')
  await dialog.getByText(month, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: day, exact: true }).and(page.locator(':focus')).waitFor()
  const barriers = await pages.findBarriers(page)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })

  expect([await field.inputValue(), barriers, faults, await page.evaluate('document.documentElement.scrollWidth')]).toEqual(['2031-02-27', [], [], 390])
})

test('Escape closes the calendar and nothing under it, and a day with a time is taken as both are seen', async () => {
  const properties = { when: { type: 'string', format: 'date-time', title: 'When' } }
  const { desk, page } = await pages.open([formReview('review-1', { type: 'object', properties })])
  await bar(page).waitFor()
  const open = page.getByRole('button', { name: 'Pick a date' })
  const dialog = page.getByRole('dialog', { name: 'Pick a date' })

  await open.click()
  await dialog.getByRole('grid').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: /^When/ }).fill('2031-03-31T10:05:00Z')
  await open.click()
  await dialog.getByRole('textbox', { name: /^Time/ }).fill('25:00')
  await dialog.getByText('Write a time as 09:30.').waitFor()
  const isOff = await dialog.getByRole('button', { name: 'Take it' }).isDisabled()
  await dialog.getByRole('textbox', { name: /^Time/ }).fill('09:30')
  await dialog.getByRole('button', { name: 'Sunday, March 30, 2031' }).click()
  await dialog.getByRole('button', { name: 'Take it' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(isOff).toBe(true)
  await eventually(async () => expect(await page.getByRole('textbox', { name: /^When/ }).inputValue()).toMatch(/^2031-03-30T09:30:00[+-]\d\d:\d\d$/))
  expect(desk.decisions).toEqual([])
})

test('what is no day filters nothing and ends nothing, and says how a day is written', async () => {
  const { desk, page } = await pages.open([])
  await page.evaluate("location.hash = '#/audit'")
  const filters = page.getByRole('search')
  await filters.getByLabel('From day').fill('2031-02-30')
  await filters.getByLabel('From day').press('Tab')
  await filters.getByText('Write a day as year, month and day').waitFor()
  await filters.getByLabel('From day').fill('2031-02-28')
  await eventually(() => expect(desk.calls.some(({ name, request }) => name === 'audit/list' && JSON.stringify(request).includes('2031-02-28'))).toBe(true))
  await page.evaluate("location.hash = '#/servers/travel'")
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Until (last day)').fill('tomorrow')
  await dialog.getByText('A day is written as 2026-12-31.').waitFor()

  expect(await dialog.getByRole('button', { name: 'Write it' }).isDisabled()).toBe(true)
  expect(desk.calls.filter(({ request }) => JSON.stringify(request).includes('2031-02-30'))).toEqual([])
})
