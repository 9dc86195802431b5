import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { formReview, urlReview } from '../fixtures/scripted-reviews.ts'

const small = { viewport: { width: 390, height: 844 } }
let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('on a small screen the tour is one line while its question is answered, and says all of it to whoever asks', async () => {
  const { page } = await pages.open([formReview('one')], small)
  const tour = page.getByRole('complementary', { name: en.tour.label })
  await tour.getByRole('button', { name: en.tour.start }).click()
  const words = tour.getByText(en.tour.states.waiting)
  await words.waitFor()
  await tour.getByRole('button', { name: en.tour.answer }).click()
  await page.locator('#pane [data-bar]').waitFor()
  await words.waitFor({ state: 'hidden' })
  const { height } = (await tour.boundingBox())!
  await tour.getByRole('button', { name: en.tour.words, expanded: false }).click()
  await words.waitFor()

  expect(height).toBeLessThan(60)
})

test('the end of a long site is in the list: what is cut is its middle', async () => {
  const review = urlReview('one')
  const host = `${'login.'.repeat(20)}accounts.example`
  const { page } = await pages.open([{ ...review, about: { ...review.about, host } }], small)
  const row = page.locator('a[href="#/inbox/one"]')
  await row.waitFor()
  const box = (await row.boundingBox())!
  const end = (await row.getByText('counts.example', { exact: true }).boundingBox())!

  expect(end.width).toBeGreaterThan(40)
  expect(end.x + end.width).toBeLessThan(box.x + box.width)
})

test('what will be written is in sight before the button that writes it, and a dialog is not closed by marking words in it', async () => {
  const { desk, page } = await pages.open([], { viewport: { width: 390, height: 640 } })
  desk.answers.set('servers/add', () => ({ status: 'preview', text: '"weather": {}', shown: 's' }))
  await page.evaluate("location.hash = '#/servers'")
  await page.getByRole('button', { name: en.servers.add }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel(en.servers.entry.name, { exact: true })
  await name.fill('weather')
  await dialog.getByLabel(en.servers.entry.command).fill('npx')
  const box = (await name.boundingBox())!
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(2, box.y + 10)
  await page.mouse.up()
  const kept = await name.inputValue()

  await dialog.getByRole('button', { name: en.servers.preview }).click()
  const preview = dialog.getByRole('region', { name: en.servers.previewTitle })
  await preview.waitFor()
  const [shown, button] = [(await preview.boundingBox())!, (await dialog.getByRole('button', { name: en.servers.write }).boundingBox())!]
  await page.mouse.click(2, 2)
  await dialog.waitFor({ state: 'detached' })

  expect(kept).toBe('weather')
  expect(shown.y + shown.height).toBeLessThanOrEqual(button.y)
})
