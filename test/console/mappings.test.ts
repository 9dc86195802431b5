import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('by which names a server knows our folders is shown, added where it can be one, and taken out', async () => {
  const { desk, page, faults } = await pages.open([])
  desk.answers.set('roots/map', ({ uri }) => (uri === '/w' ? { status: 'invalid', field: 'uri' } : { status: 'changed', text: '' }))
  await page.evaluate(`location.hash = '#/servers/travel'`)
  await page.getByText('Told as file:///workspace/trips', { exact: true }).first().waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Add another name', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor({ timeout: 30_000 })
  await dialog.getByLabel('Folder here', { exact: true }).fill('/home/ada/trips')
  await dialog.getByText('It is known there as file:///workspace/trips now').waitFor({ timeout: 30_000 })
  await dialog.getByLabel('The same folder there, as a file:// address', { exact: true }).fill('/w')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Write a whole file:// address').waitFor({ timeout: 30_000 })
  const barriers = await pages.findBarriers(page)
  await dialog.getByLabel('The same folder there, as a file:// address', { exact: true }).fill('file:///w')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached', timeout: 30_000 })
  await page.getByRole('button', { name: 'Take out: /home/ada/trips', exact: true }).click()
  await expect.poll(() => desk.calls.filter(({ name }) => name === 'roots/map').length, { timeout: 30_000 }).toBe(3)

  const asked = { server: 'travel', path: '/home/ada/trips', before: 'file:///workspace/trips' }
  expect(desk.calls.filter(({ name }) => name === 'roots/map').map(({ request }) => request)).toEqual([
    { ...asked, uri: '/w' },
    { ...asked, uri: 'file:///w' },
    asked,
  ])
  expect([barriers, faults]).toEqual([[], []])
}, 120_000)
