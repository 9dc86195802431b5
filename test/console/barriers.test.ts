import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { completionReview, foldersReview, formReview, promptReview } from '../fixtures/scripted-reviews.ts'

const catalogues = { en, ko, 'zh-CN': zh } as const
const combinations = (['en', 'ko', 'zh-CN'] as const).flatMap((locale) => (['light', 'dark'] as const).map((theme) => [locale, theme] as const))
const failure = { key: 'model-busy', facts: { model: 'lab:tiny', status: '429' }, sentence: 'lab:tiny has no capacity left (HTTP 429)' }

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const pane = (page: Page, id: string): Locator => page.locator(`#pane article[data-review="${id}"]`)

async function show(page: Page, id: string): Promise<void> {
  await page.evaluate(`location.hash = '#/inbox/${id}'`)
  await pane(page, id).locator('[data-bar]').waitFor()
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test.each(combinations)(
  'nothing stands in anybody’s way in a calendar, a folder picker, what has ended, a model that failed, and whatever went wrong (%s, %s)',
  async (locale, colorScheme) => {
    const words = catalogues[locale]
    const prompt = promptReview('failed')
    const reviews = [
      formReview('form'),
      foldersReview('folders'),
      completionReview('answer', 'streaming'),
      { ...prompt, subject: { ...prompt.subject, failed: failure } },
    ]
    const { desk, page, faults } = await pages.open(reviews, { locale, colorScheme, reducedMotion: 'reduce' })
    const barriers: Record<string, readonly string[]> = {}

    await show(page, 'form')
    await page.getByRole('button', { name: words.common.day.pick }).first().click()
    await page.getByRole('dialog').getByRole('grid').waitFor()
    barriers['calendar'] = await pages.findBarriers(page)
    await closeDialog(page)
    await show(page, 'folders')
    await page.getByRole('button', { name: words.folders.another }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.folders.here }).waitFor()
    barriers['picker'] = await pages.findBarriers(page)
    await closeDialog(page)
    await show(page, 'failed')
    await pane(page, 'failed').getByRole('alert').waitFor()
    barriers['failed model'] = await pages.findBarriers(page)
    await show(page, 'answer')
    desk.end('answer', { outcome: 'withdrawn', failure, at: Date.now() })
    await page.locator('#pane article[data-review="answer"][data-ended]').waitFor()
    barriers['ended'] = await pages.findBarriers(page)

    const fault = (code: string): { code: string; message: string } => ({ code, message: 'config.jsonc:3:1: "rulez" is not known' })
    desk.tell({
      type: 'desk-changed',
      desk: { alwaysAsk: false, demo: false, configFault: fault('CONFIG_INVALID'), auditFault: fault('AUDIT_UNAVAILABLE') },
    })
    desk.answers.set('servers/remove', () => ({ status: 'refused', fault: fault('CONFIG_INVALID') }))
    await page.evaluate("location.hash = '#/servers/travel'")
    await page.getByText(words.shell.faults.audit.title).waitFor()
    await page.getByRole('button', { name: words.common.edit, exact: true }).first().waitFor()
    await page.getByRole('button', { name: words.servers.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.servers.remove }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    barriers['faults'] = await pages.findBarriers(page)

    expect(barriers).toEqual(Object.fromEntries(Object.keys(barriers).map((name) => [name, []])))
    expect(faults).toEqual([])
  },
  240_000,
)
