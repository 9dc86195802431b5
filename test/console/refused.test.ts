import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import { callPath } from '../../src/console-api/contract.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { openConsole } from '../fixtures/open-console.ts'
import { formReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const catalogues = { en, ko, 'zh-CN': zh } as const

test.each(Object.entries(catalogues))(
  'a page that the desk takes nothing from is told so, and what to do, in %s, and it goes on by itself once that is over',
  async (locale, words) => {
    const { desk, page } = await pages.open([formReview()], { locale })
    await page.locator('#pane [data-bar]').waitFor()
    await page
      .context()
      .route(`**${callPath}events`, (route) =>
        route.fulfill({ status: 403, json: { error: { code: 'REQUEST_REFUSED', message: 'A call has to come from the console itself.' } } }),
      )

    desk.cut()
    const told = page.getByText(words.shell.connection.refused)
    await told.filter({ visible: true }).first().waitFor()
    await page.reload()
    await page.getByRole('main').or(page.getByRole('status')).filter({ hasText: words.shell.connection.refused }).first().waitFor()

    await page.context().unroute(`**${callPath}events`)
    await page.locator('#pane [data-bar]').waitFor()
    expect(await told.count()).toBe(0)
  },
  60_000,
)

test('whoever comes by another address than the one of the desk is told in words how the console is opened', async () => {
  const { console } = await openConsole()
  const page = await fetch(new URL('/', console.url()), { headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' } })
  const call = await fetch(new URL(`${callPath}desk/get`, console.url()), { method: 'POST', headers: { origin: 'http://127.0.0.1:1' } })

  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    403,
    'text/plain; charset=utf-8',
    'This request comes from another page. Run "consentry up" in a terminal: it opens the console.',
  ])
  expect([call.status, await call.json()]).toMatchObject([403, { error: { code: 'REQUEST_REFUSED' } }])
})
