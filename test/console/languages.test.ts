import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalogue } from '../../console/language/catalogue.ts'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import type { Phrase, ReviewDetail } from '../../src/console-api/contract.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { completionReview, everyKind, foldersReview, formReview, promptReview, urlReview } from '../fixtures/scripted-reviews.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

/** What the desk says beside the words of servers, with the English that must not be shown. */
const said: readonly Phrase[] = [
  { key: 'hint-niche', facts: { hint: '"haiku"', niche: 'small' }, sentence: 'hint "haiku" taken as small' },
  { key: 'able-models', facts: { able: 1, considered: 2, demands: ['image', 'tools'] }, sentence: '1 of 2 can (image, tools)' },
  { key: 'first-in-list', sentence: 'first in your list' },
  { key: 'context-not-given', facts: { asked: 'thisServer' }, sentence: 'It asked for what was said with this server before, and is given none of it' },
  { key: 'rule-over-limit', facts: { rule: 'rules[2]' }, sentence: 'rules[2] has answered as often as its limits allow.' },
  { key: 'rules-suspended', facts: { reason: 'config.jsonc:3:1: unknown key' }, sentence: 'The rules are suspended: config.jsonc:3:1: unknown key' },
  { key: 'answer-broke-off', facts: { code: 'CONNECTION_LOST' }, sentence: 'The answer broke off before its end: the connection was lost' },
  { key: 'answer-cut', facts: { tokens: 400 }, sentence: 'answer cut to 400 tokens' },
  { key: 'model-without-image', sentence: 'it takes no images' },
]
const [niche, able, first, context, overLimit, suspended, brokeOff, cut, noImage] = said

/** One of each kind, with everything said that the desk can say of it; and those that have ended. */
function talkative(): readonly ReviewDetail[] {
  const [form, prompt, completion] = [formReview(), promptReview(), completionReview()]
  const { choice, models = [] } = prompt.subject
  const ended = (id: string, end: ReviewDetail['ended']): ReviewDetail => ({ ...urlReview(id), ended: end })
  return [
    ...everyKind().filter(({ kind }) => !['form', 'prompt', 'completion'].includes(kind)),
    { ...form, asker: { ...form.asker, named: false }, subject: { ...form.subject, because: suspended! } },
    {
      ...prompt,
      subject: {
        ...prompt.subject,
        because: overLimit!,
        choice: { ...choice, reasons: [niche!, able!, first!] },
        notes: [context!, cut!],
        models: models.map((model, index) => (index === 0 ? model : { ...model, cannot: noImage! })),
        redaction: { parts: [{ path: 'messages[0]', kinds: ['card'] }], original: prompt.subject.request },
        toolRounds: 2,
      },
    },
    { ...completion, draft: { ...completion.draft, notes: [brokeOff!] } },
    foldersReview('review-9'),
    ended('ended-1', { outcome: 'withdrawn', reason: 'the client cancelled its request', at: Date.now() }),
    ended('ended-2', { outcome: 'timed-out', at: Date.now() }),
  ]
}

/** Pieces of every English sentence, between what is filled in; long enough that they are nothing else. */
function piecesOf(tree: object): readonly string[] {
  return Object.values(tree).flatMap((value: unknown) =>
    typeof value === 'string'
      ? value
          .split(/\{\{[^}]*\}\}/u)
          .map((piece) => piece.trim())
          .filter((piece) => /[a-z]+ [a-z]+/u.test(piece) && piece.length > 7)
      : piecesOf(value as object),
  )
}

const english = [...new Set([...piecesOf(en), ...said.map(({ sentence }) => sentence)])]

/** All words of a page, also those that are folded or only read aloud; without the words of others, and technical details that say that they are English. */
async function wordsOn(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const copy = document.body.cloneNode(true)
    for (const one of copy.querySelectorAll('script, style, [lang="en"]')) one.remove()
    const names = ['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) => [...copy.querySelectorAll('[' + name + ']')].map((one) => one.getAttribute(name)))
    return [copy.textContent, ...names].join('\\n')
  })()`)
}

async function englishOn(page: Page): Promise<readonly string[]> {
  const words = await wordsOn(page)
  return english.filter((piece) => words.includes(piece))
}

test('the English page is found to be English', async () => {
  const { page } = await pages.open(talkative())
  await page.locator('[data-bar]').waitFor()

  expect((await englishOn(page)).length).toBeGreaterThan(5)
})

describe.each(['ko', 'zh-CN'])('in %s', (locale) => {
  test('no review of any kind holds an English sentence of ours', async () => {
    const { desk, page, faults } = await pages.open(talkative(), { locale })
    const found: Record<string, readonly string[]> = {}
    for (const { id } of talkative()) {
      await page.evaluate(`location.hash = '#/inbox/${id}'`)
      await page.locator(`a[href="#/inbox/${id}"][aria-current]`).waitFor()
      await page
        .locator(`#pane article[data-review="${id}"]${id.startsWith('ended') ? '[data-ended]' : ' [data-bar]'}`)
        .first()
        .waitFor()
      for (const menu of id.startsWith('ended') ? [] : await page.locator('#pane [data-bar] button[aria-haspopup]').all()) {
        await menu.click()
        await page.locator('[role="menu"]').first().waitFor()
        found[`${id} menu`] = await englishOn(page)
        await page.keyboard.press('Escape')
        await page.locator('[role="menu"]').first().waitFor({ state: 'hidden' })
      }
      found[id] = await englishOn(page)
    }

    expect(Object.fromEntries(Object.entries(found).filter(([, pieces]) => pieces.length > 0))).toEqual({})
    expect([faults, desk.decisions]).toEqual([[], []])
  }, 120_000)

  test('no screen holds one either, and a fault is explained in the language of the screen', async () => {
    const { desk, page } = await pages.open([], { locale })
    const found: Record<string, readonly string[]> = {}
    for (const screen of ['servers', 'servers/travel', 'servers/notes', 'servers/files', 'roots', 'try-it', 'timeline', 'usage', 'audit', 'settings']) {
      await page.evaluate(`location.hash = '#/${screen}'`)
      await page.locator('main h1').first().waitFor()
      await page.locator('main [role=status]:has-text("…")').first().waitFor({ state: 'detached' })
      found[screen] = await englishOn(page)
    }
    desk.tell({
      type: 'desk-changed',
      desk: { alwaysAsk: false, demo: false, configFault: { code: 'CONFIG_INVALID', message: 'config.jsonc:3:1: "rulez" is not known' } },
    })
    await page.locator('main [role=alert] code[lang=en]', { hasText: 'config.jsonc:3:1' }).waitFor()
    found['fault'] = await englishOn(page)

    expect(Object.fromEntries(Object.entries(found).filter(([, pieces]) => pieces.length > 0))).toEqual({})
  }, 120_000)

  test('no dialog does, nor what a model that cannot be tried says', async () => {
    const { desk, page, faults } = await pages.open([], { locale })
    desk.answers.set('models/test', () => ({ ok: false, fault: { code: 'MODEL_UNAVAILABLE', message: 'the provider answered 401' } }))
    const words: Catalogue = locale === 'ko' ? ko : zh
    const dialogs: readonly (readonly [screen: string, button: string])[] = [
      ['servers', words.servers.add],
      ['servers', words.servers.import],
      ['servers/travel', words.servers.addRoot],
      ['servers/travel', words.servers.rule.add],
      ['servers/travel', words.servers.setLimits],
      ['servers/travel', `${words.servers.changeEnd}: ${words.servers.remembered['models-allowed-but-completion']}`],
      ['servers/travel', words.servers.edit],
      ['roots', words.roots.add],
      ['usage', `${words.servers.setLimits}: ${words.usage.scopes.each}`],
      ['settings', words.settings.addModel],
      ['settings', words.settings.findModels],
    ]
    const found: Record<string, readonly string[]> = {}
    for (const [screen, button] of dialogs) {
      await page.evaluate(`location.hash = '#/${screen}'`)
      await page.getByRole('button', { name: button, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.locator('[role=dialog] [role=status]:has-text("…")').first().waitFor({ state: 'detached' })
      found[`${screen} ${button}`] = await englishOn(page)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: words.settings.test, exact: true }).first().click()
    await page.locator('main [role=alert] code[lang=en]', { hasText: '401' }).waitFor()
    found['test'] = await englishOn(page)

    expect(Object.fromEntries(Object.entries(found).filter(([, pieces]) => pieces.length > 0))).toEqual({})
    expect(faults).toEqual([])
  }, 120_000)
})
