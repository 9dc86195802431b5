import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { awake, bar, eventually, press } from '../fixtures/deciding-page.ts'
import { quickest } from '../fixtures/quickest.ts'
import { completionReview, everyKind, formReview, promptReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('an edited prompt is sent as it was edited, and the edit is marked', async () => {
  const { request, choice } = promptReview().subject
  const { desk, page } = await pages.open([promptReview()])

  await page.getByRole('button', { name: 'Edit: Instructions' }).click()
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Answer in one word.')
  await page.getByText('edited').waitFor()
  await press(page, 'Approve')

  await eventually(() =>
    expect(desk.decisions).toEqual([
      { id: 'review-4', decision: { action: 'approve', request: { ...request, systemPrompt: 'Answer in one word.' }, model: choice.model } },
    ]),
  )
})

test('an answer grows while the model writes, and cannot be sent before it is stopped', async () => {
  const { desk, page } = await pages.open([completionReview('review-5', 'streaming')])
  await page.getByText('The model is writing').waitFor()

  desk.tell({
    type: 'draft-changed',
    id: 'review-5',
    draft: { content: [{ type: 'text', text: 'Take NO 4211 at 10:05.' }], model: 'claude-sonnet-4-5', progress: 'streaming' },
  })
  await page.getByText('Take NO 4211 at 10:05.').waitFor()
  await awake(page)
  await bar(page).getByRole('button', { name: 'Send to travel', disabled: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  const before = desk.decisions.length
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await press(page, 'Send to travel')

  await eventually(() => expect(desk.decisions).toHaveLength(1))
  expect([before, desk.decisions[0]!.decision]).toEqual([
    0,
    { action: 'approve', completion: { content: [{ type: 'text', text: 'Take NO 4211 at 10:05.' }], model: 'claude-sonnet-4-5' } },
  ])
})

test('what is wrong is said beside its field, and nothing is sent', async () => {
  const { desk, page } = await pages.open([formReview()])
  desk.answers.set('review/decide', () => ({
    status: 'faulty',
    faults: [{ field: 'email', problem: 'wrong-format', facts: { format: 'email' }, message: 'must be an e-mail address' }],
  }))

  await press(page, 'Send')

  await page.getByText('This must be an e-mail address').waitFor()
  expect(await page.evaluate('document.activeElement.id === document.querySelector("[data-faulty] input").id')).toBe(true)
})

test('buttons sleep for half a second after they appear, and none of them has the focus', async () => {
  const { desk, page } = await pages.open([formReview(), formReview('review-9')])
  await awake(page)
  const pressedAtOnce = page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const send = [...document.querySelectorAll('[data-bar] button')].find(({ textContent }) => textContent.startsWith('Send'))
      if (!send || !location.hash.includes('review-9')) return requestAnimationFrame(look)
      send.click()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
      resolve(document.activeElement === send)
    }
    look()
  })`)

  await page.keyboard.press('Control+Enter')
  const hasFocus = await pressedAtOnce
  await awake(page)

  expect([hasFocus, desk.decisions.map(({ id }) => id)]).toEqual([false, ['review-1']])
})

test('everything can be done with the keyboard alone', async () => {
  const { desk, page } = await pages.open([formReview('one'), formReview('two'), formReview('three')])

  await page.keyboard.press('j')
  await eventually(() => expect(page.url()).toContain('two'))
  await page.keyboard.press('f')
  await page.keyboard.press('Space')
  await awake(page)
  await page.keyboard.press('Control+Enter')
  await eventually(() => expect(page.url()).toContain('three'))
  await awake(page)
  await page.keyboard.press('d')
  await eventually(() => expect(page.url()).toContain('one'))
  await awake(page)
  await page.keyboard.press('Escape')
  await eventually(() => expect(desk.decisions).toHaveLength(3))
  await page.keyboard.press('?')

  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  expect(desk.decisions.map(({ id, decision }) => [id, decision.action])).toEqual([
    ['two', 'accept'],
    ['three', 'decline'],
    ['one', 'cancel'],
  ])
})

test('whoever goes elsewhere while a decision is on its way is not fetched back when it was taken', async () => {
  const { desk, page } = await pages.open([formReview('one'), formReview('two')])
  await page.evaluate("location.hash = '#/inbox/one'")
  await page.locator('#pane article[data-review="one"] [data-bar]').waitFor()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/review/decide', async (route) => {
    await held
    await route.continue()
  })
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Decline' }).click()
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()

  const answered = page.waitForResponse('**/api/review/decide')
  release()
  await (await answered).finished()
  await page.locator('nav').getByText('1', { exact: true }).first().waitFor()

  expect([desk.decisions.length, new URL(page.url()).hash]).toEqual([1, '#/audit'])
})

test('decided in one tab, gone in all', async () => {
  const { desk, page, context } = await pages.open([formReview()])
  const other = await context.newPage()
  await other.goto(desk.url)
  await other.getByText('Confirm the booking').first().waitFor()

  await press(page, 'Decline')

  await other.getByText('done today').waitFor()
  await eventually(async () => expect([await other.title(), await other.getByRole('link', { name: 'book_trip' }).count()]).toEqual(['Consentry', 0]))
})

test('what is typed in one tab is there in the other and after a reload, but for secrets', async () => {
  const { desk, page, context } = await pages.open([formReview()])
  const other = await context.newPage()
  await other.goto(desk.url)
  await other.getByRole('textbox', { name: 'E-mail' }).waitFor()

  await page.getByRole('textbox', { name: 'Password' }).fill('hunter2')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
  await eventually(async () => expect(await other.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('ada@example.com'))
  await page.reload()

  await eventually(async () => expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('ada@example.com'))
  expect([
    await page.getByRole('textbox', { name: 'Password' }).inputValue(),
    JSON.stringify(desk.calls.filter(({ name }) => name === 'review/draft')),
  ]).toEqual(['', expect.not.stringContaining('hunter2')])
})

test('a question that was taken back stays as a grey card with its reason until it is dismissed', async () => {
  const { desk, page } = await pages.open([formReview()])

  desk.end('review-1', { outcome: 'withdrawn', reason: 'the call was cancelled', at: Date.now() })

  await page.getByText('travel does not wait for this any more').waitFor()
  await page.getByText('the call was cancelled').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Nothing waits for you').waitFor()
  expect(desk.decisions).toEqual([])
})

test('what has ended stands below what waits, and is cleared at once', async () => {
  const { desk, page } = await pages.open([formReview('one'), formReview('two'), formReview('three')])
  desk.end('one', { outcome: 'withdrawn', at: Date.now() })
  desk.end('two', { outcome: 'timed-out', at: Date.now() })

  await page.getByRole('button', { name: 'Clear 2 ended' }).waitFor()
  await page.mouse.move(900, 400)
  await eventually(async () =>
    expect(await page.locator('a[href^="#/inbox/"]').evaluateAll((rows) => rows.map((row) => row.getAttribute('href')))).toEqual([
      '#/inbox/three',
      '#/inbox/one',
      '#/inbox/two',
    ]),
  )
  await page.getByRole('button', { name: 'Clear 2 ended' }).click()

  await eventually(async () => expect(await page.locator('a[href^="#/inbox/"]').count()).toBe(1))
  expect(desk.calls.filter(({ name }) => name === 'review/dismiss').length).toBe(2)
})

test('new questions never move what one is about to click', async () => {
  const { desk, page } = await pages.open([formReview('one', undefined, 'alpha'), formReview('two', undefined, 'beta')])
  const second = page.locator('a[href="#/inbox/two"]')
  await page.locator('a[href="#/inbox/one"]').waitFor()
  await page.getByRole('button', { name: 'Decline' }).waitFor()
  // The tour is loaded on its own, and makes room for itself.
  await page.getByRole('complementary', { name: 'Guided tour' }).waitFor()
  await second.hover()
  const before = await second.boundingBox()

  desk.open(formReview('three', undefined, 'alpha'))
  await page.getByText('1 new question').waitFor()
  const during = await second.boundingBox()
  await page.mouse.move(900, 400)
  await page.locator('a[href="#/inbox/three"]').waitFor()

  expect(during).toEqual(before)
})

test('a lost connection is said, and what was missed comes after it', async () => {
  const { desk, page } = await pages.open([formReview('one')])
  await page.getByText('Desk connected').first().waitFor()

  desk.cut()
  desk.open(formReview('two'))

  await page.locator('a[href="#/inbox/two"]').waitFor()
  await page.getByText('Desk connected').first().waitFor()
})

test('words of a server are text: never markup, never a link, with what hides in them marked', async () => {
  const review = formReview('one', {
    type: 'object',
    properties: { x: { type: 'string', title: '<img src=x onerror=alert(1)>\u202eevil', description: 'https://evil.example' } },
  })
  const { page, faults } = await pages.open([{ ...review, subject: { ...review.subject, message: '<b>bold</b> {{count}} $t(common.send) \u200bhidden' } }])

  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()

  expect([
    await page.locator('#pane img, #pane b:has-text("bold"), #pane a').count(),
    (await page.getByText('<U+202E>').count()) > 0,
    await page.getByText('$t(common.send)').count(),
    faults,
  ]).toEqual([0, true, 1, []])
})

test('five thousand questions are as light as five', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => formReview(`review-${index}`, { type: 'object', properties: {} }, `server-${index % 7}`))
  const { page } = await pages.open(many)
  await page.getByText('Nothing but', { exact: false }).or(page.getByText('Only the word')).first().waitFor()

  const rows = await page.locator('ul[aria-label="Questions that wait"] > li').count()
  const frames = (step: number): Promise<number> =>
    page.evaluate(`new Promise((resolve) => {
      const list = document.querySelector('ul[aria-label="Questions that wait"]').parentElement
      const times = []
      let last = performance.now()
      const next = () => {
        const now = performance.now()
        times.push(now - last)
        last = now
        list.scrollTop += ${step}
        if (times.length < 40) requestAnimationFrame(next)
        else resolve(times.toSorted((one, other) => one - other)[20])
      }
      requestAnimationFrame(next)
    })`)
  // What else the machine does slows both, and may begin between the two.
  const lateness = await quickest(
    0,
    async () => {
      const still = await frames(0)
      return (await frames(900)) - still * 4 - 60
    },
    () => page.evaluate('document.querySelector("ul[aria-label=\\"Questions that wait\\"]").parentElement.scrollTop = 0'),
  )

  expect(rows).toBeLessThan(60)
  expect(lateness).toBeLessThanOrEqual(0)
}, 180_000)

describe('on a telephone', () => {
  const viewport = { width: 390, height: 844 }

  test.each(everyKind().map((review) => [review.kind, review] as const))('a %s fits, from the list and back', async (_, review) => {
    const { page } = await pages.open([review], { viewport })

    await page.locator(`a[href="#/inbox/${review.id}"]`).click()
    await bar(page).waitFor()
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    const isWide = await page.evaluate(
      `[...document.querySelectorAll('#pane *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== 'absolute' && !one.closest('pre, code, [class*=summary]')).map((one) => one.className || one.tagName)`,
    )
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()

    expect([overflow, isWide]).toEqual([0, []])
  })
})

describe.each(['en', 'ko', 'zh-CN'])('in %s', (locale) => {
  test.each(['light', 'dark'] as const)(
    'nothing stands in anybody’s way (%s)',
    async (colorScheme) => {
      const { page, faults } = await pages.open(everyKind(), { locale, colorScheme, reducedMotion: 'reduce' })
      const barriers: Record<string, readonly string[]> = {}

      for (const { id, kind } of everyKind()) {
        await page.evaluate(`location.hash = '#/inbox/${id}'`)
        await page.locator(`a[href="#/inbox/${id}"][aria-current]`).waitFor()
        await awake(page)
        barriers[kind] = await pages.findBarriers(page)
      }

      expect(barriers).toEqual(Object.fromEntries(everyKind().map(({ kind }) => [kind, []])))
      expect(faults).toEqual([])
    },
    120_000,
  )
})
