import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalogue } from '../../console/language/catalogue.ts'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { ConsolePages, type Visit } from '../fixtures/console-pages.ts'
import { startDesk } from '../fixtures/desk-program.ts'
import { Workplace } from '../fixtures/program.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const languages: readonly (readonly [string, string, Catalogue])[] = [
  ['English', 'en', en],
  ['Korean', 'ko', ko],
]

/** Somebody on the tour, who knows the words of one language. */
class Newcomer {
  readonly page: Page
  readonly words: Catalogue
  readonly tour: Locator
  /** Whether a page that was opened could find out where from. */
  isFollowed: boolean | undefined

  constructor(page: Page, words: Catalogue) {
    this.page = page
    this.words = words
    this.tour = page.getByRole('complementary', { name: words.tour.label })
  }

  async press(name: string): Promise<void> {
    await this.tour.getByRole('button', { name: said(name), exact: true }).click()
  }

  /** Has travel ask its next question. */
  async beAsked(): Promise<void> {
    const ask = this.tour.getByRole('button', { name: said(this.words.tour.ask), exact: true, disabled: false })
    await ask.waitFor()
    await ask.click()
  }

  async decide(name: string): Promise<void> {
    await this.page
      .locator('[data-bar] button:not([data-asleep]):not([disabled])')
      .filter({ hasText: said(name) })
      .first()
      .click()
  }

  /** Waits until travel has its answer. @returns what it made of it */
  async outcome(): Promise<string> {
    await this.tour.getByText(said(this.words.tour.states.done), { exact: true }).waitFor()
    await this.tour.getByText(said(this.words.tour.outcome), { exact: true }).click()
    return this.tour.getByRole('figure').innerText()
  }

  async tellFolders(): Promise<string> {
    await this.page.getByRole('checkbox', { name: /travel-planning/ }).check()
    await this.decide(this.words.folders.tell)
    return this.outcome()
  }

  async book(): Promise<string> {
    await this.page
      .getByRole('group', { name: /confirmBooking/ })
      .getByRole('radio', { name: this.words.common.yes, exact: true })
      .check()
    await this.page
      .getByRole('group', { name: /seatPreference/ })
      .getByRole('radio', { name: 'aisle', exact: true })
      .check()
    await this.page.getByText('"seatPreference": "aisle"').first().waitFor()
    await this.decide(this.words.common.send)
    return this.outcome()
  }

  async beTheModel(): Promise<string> {
    const { sampling, common } = this.words
    await this.page.getByRole('button', { name: `${common.edit}: ${sampling.system}` }).click()
    await this.page.getByRole('textbox', { name: sampling.system }).fill('Answer in one line.')
    await this.page.getByText(sampling.edited, { exact: true }).first().waitFor()
    await this.page.getByRole('button', { name: sampling.write }).click()
    await this.page.getByRole('textbox', { name: sampling.yourAnswer }).fill('Take the secret flight of half past ten.')
    await this.decide(sampling.sendTo)
    return this.outcome()
  }

  async visitPage(): Promise<string> {
    const popup = this.page.context().waitForEvent('page')
    await this.decide(this.words.url.open)
    const opened = await popup
    await opened.getByRole('button').first().waitFor()
    this.isFollowed = await opened.evaluate<boolean>('window.opener !== null || document.referrer !== ""')
    await opened.getByRole('button').first().click()
    return this.outcome()
  }
}

/** A sentence of the catalogue as it is said on the tour. */
function said(sentence: string): string {
  return sentence.replace('{{server}}', 'travel')
}

test.each(languages)(
  'a newcomer is led through all that a server may ask, and finds it in the audit log, in %s',
  async (_, locale, words) => {
    const place = new Workplace()
    const { output } = await startDesk(place, ['demo'])
    const { page, faults } = await pages.visit(output.url!, { locale })
    const newcomer = new Newcomer(page, words)
    const barriers = [await pages.findBarriers(page)]
    const outcomes: string[] = []

    await newcomer.press(words.tour.start)
    for (const answer of ['tellFolders', 'book', 'beTheModel', 'visitPage'] as const) {
      await newcomer.beAsked()
      await page.locator('[data-bar]').waitFor()
      barriers.push(await pages.findBarriers(page))
      outcomes.push(await newcomer[answer]())
      await newcomer.press(words.tour.next)
    }
    await newcomer.press(words.tour.openLog)
    await page.getByRole('button', { name: words.audit.verify }).click()
    await page.getByText(words.audit.verified_other.split('{{')[0]!.trim()).waitFor()
    const log = await page.getByRole('table').innerText()
    await newcomer.press(words.tour.finish)
    await newcomer.tour.waitFor({ state: 'detached' })

    expect(outcomes).toEqual([
      expect.stringContaining('I looked in travel-planning.'),
      expect.stringContaining('Seat: aisle'),
      expect.stringContaining('Take the secret flight'),
      expect.stringContaining('is connected'),
    ])
    const entriesOf = (tool: string): number => log.split(tool).length - 1
    expect(['list_trips', 'book_trip', 'findBestFlight'].map(entriesOf)).toEqual([4, 4, 4])
    // Whoever takes their time on the page finds a card that waits for them, which has entries of its own.
    expect(entriesOf('connect_airline')).toBeGreaterThanOrEqual(4)
    const { grant, write } = words.inbox.actions
    expect([grant, write, words.audit.deciders.person].every((word) => log.includes(word))).toBe(true)
    expect(locale === 'en' ? undefined : /\b(?:answered|refused|done|sent)\b/u.exec(log)?.[0]).toBeUndefined()
    expect([log.includes('secret flight'), newcomer.isFollowed, barriers.flat(), faults]).toEqual([false, false, [], []])
  },
  120_000,
)

test('the tour covers no button that decides, takes no focus from it, and fits a phone', async () => {
  const { output } = await startDesk(new Workplace(), ['demo'])
  const { page } = await pages.visit(output.url!, { viewport: { width: 390, height: 844 } })
  const newcomer = new Newcomer(page, en)
  await newcomer.press(en.tour.start)
  await newcomer.beAsked()
  await newcomer.press(en.tour.answer)
  await page.getByRole('checkbox', { name: /travel-planning/ }).check()
  await page.locator('[data-bar] button:not([data-asleep])').first().waitFor()

  const hidden = await page.evaluate(`[...document.querySelectorAll('[data-bar] button')].filter((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }).map(({ textContent }) => textContent)`)
  await newcomer.decide(en.folders.tell)
  await newcomer.outcome()

  expect([hidden, await page.evaluate('document.activeElement.closest("aside") === null || document.activeElement.tagName === "SUMMARY"')]).toEqual([[], true])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
}, 120_000)

test('the tour is reached by its key, and brought back where it was closed', async () => {
  const { output } = await startDesk(new Workplace(), ['demo'])
  const { page } = await pages.visit(output.url!)
  const newcomer = new Newcomer(page, en)
  await newcomer.tour.waitFor()

  await page.keyboard.press('t')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await newcomer.tour.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: en.tour.open }).click()

  await newcomer.tour.waitFor()
}, 120_000)

test('a desk that is killed under an open console is missed, and found again when it is back: nothing is lost or doubled', async () => {
  const place = new Workplace()
  const { child, output } = await startDesk(place, ['demo'])
  const first: Visit = await pages.visit(output.url!)
  const newcomer = new Newcomer(first.page, en)
  await newcomer.press(en.tour.start)
  await newcomer.press(en.tour.next)
  await newcomer.beAsked()
  await first.page.locator('[data-bar]').waitFor()

  child.kill('SIGKILL')
  await first.page.getByText(en.shell.connection.lost).first().waitFor()
  const again = await startDesk(place, ['demo'])
  await first.page.getByText(en.shell.ended.title).first().waitFor()
  const other = await first.context.newPage()
  await other.goto(again.output.url!)
  await newcomer.press(en.tour.start)
  await newcomer.press(en.tour.next)
  await newcomer.beAsked()
  const booked = await newcomer.book()

  const entries = (await place.run(['audit', 'list', '--json'], { environment: { CONSENTRY_HOME: `${place.home}/demo/state` } })).stdout
  const events = [...entries.matchAll(/"event":"([a-z-]+)"/g)].map((match) => match[1])
  expect([again.output.port, booked]).toEqual([output.port, expect.stringContaining('Seat: aisle')])
  expect(events).toEqual(['asked', 'review-opened', 'asked', 'review-opened', 'decided', 'answered'])
}, 120_000)
