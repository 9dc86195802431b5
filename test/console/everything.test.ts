import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { startDesk } from '../fixtures/desk-program.ts'
import { startModelServer } from '../fixtures/model-server.ts'
import { askingServer, everything, node, Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, wordsOf, type AnyClient } from '../fixtures/wrapped.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

/** A page somewhere on the web, of this machine. */
async function startPage(): Promise<string> {
  const server = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Signed in</h1>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Somebody who tries the tools of server-everything by hand. */
class Author {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get pane(): Locator {
    return this.page.locator('article[data-review]:has([data-bar])')
  }

  async decide(name: string): Promise<void> {
    await this.page.locator('[data-bar] button:not([data-asleep]):not([disabled])').filter({ hasText: name }).first().click()
  }

  /** Another folder than those that are proposed. */
  async tellFolder(path: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Choose another folder' }).click()
    const picker = this.page.getByRole('dialog', { name: 'Choose a folder' })
    await picker.getByRole('textbox').fill(path)
    await picker.getByRole('textbox').press('Enter')
    await picker.getByRole('button', { name: 'Take this folder' }).click()
    await this.decide('Tell these folders')
  }

  /** Opens the page that somebody is asked to visit, and reads a word of it. */
  async visit(context: BrowserContext): Promise<void> {
    const popup = context.waitForEvent('page')
    await this.decide('Open in browser')
    await (await popup).getByText('Signed in').waitFor()
  }

  /** Has the model asked what it was to be asked, and puts a person's words in the place of its answer. */
  async approve(server: string, words: string): Promise<void> {
    await this.decide('Approve')
    await this.pane.getByRole('button', { name: /^Edit: The answer of/ }).click()
    await this.pane.getByRole('textbox', { name: /^The answer of/ }).fill(words)
    await this.decide(`Send to ${server}`)
  }

  /** Something in every field of its form, another value than it proposes. */
  async fillForm(): Promise<void> {
    const { pane } = this
    await pane.getByRole('textbox', { name: /^String required/ }).fill('Ada Lovelace')
    await this.pick('Boolean', 'Yes')
    await pane.getByRole('textbox', { name: /^String with default/ }).fill('It was a bright cold day in April.')
    await pane.getByRole('textbox', { name: /^String with email/ }).fill('ada@example.com')
    await pane.getByRole('textbox', { name: /^String with uri/ }).fill('https://example.com/ada')
    await pane.getByRole('textbox', { name: /^String with date/ }).fill('1990-12-10')
    await pane.getByRole('textbox', { name: /^Integer/ }).fill('7')
    await pane.getByRole('textbox', { name: /^Number in range/ }).fill('2.5')
    await this.pick('Untitled Single', 'Rachel')
    await this.pick('Untitled Multiple', 'Piano')
    await this.pick('Titled Single', 'Green Lantern')
    await this.pick('Titled Multiple', 'Trout')
    await this.pick('Legacy Titled', 'Birds')
  }

  async pick(group: string, choice: string): Promise<void> {
    const choices = this.pane.getByRole('group', { name: new RegExp(`^${group}`) })
    await choices
      .getByRole('radio', { name: choice, exact: true })
      .or(choices.getByRole('checkbox', { name: choice, exact: true }))
      .check()
  }

  /** Calls a tool with these arguments, in the order of its fields. */
  async call(tool: string, given: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name: tool }).first().click()
    for (const [field, value] of Object.entries(given)) await this.page.getByRole('textbox', { name: new RegExp(`^${field} `) }).fill(value)
    await this.page.getByRole('button', { name: 'Call', exact: true }).click()
  }

  /** What the latest call of this tool came to. */
  async result(words: string): Promise<string> {
    const card = this.page.getByRole('region', { name: 'Calls' }).locator(':scope > *').first()
    await card.getByText(words).first().waitFor({ timeout: 30_000 })
    return card.innerText()
  }
}

/** A desk with a model, and somebody in front of its console. */
async function sitDown(mcpServers: object = {}) {
  const place = new Workplace()
  mkdirSync(join(place.folder, 'trip'))
  const model = await startModelServer('openai-compatible', { text: ['The answer ', 'of a model.'] })
  place.config({ mcpServers, models: [{ provider: 'own', model: 'small', baseUrl: `${model.origin}/v1` }] })
  const { output } = await startDesk(place, ['up'])
  const { page, context, faults } = await pages.visit(output.url!)
  return { place, model, context, faults, author: new Author(page) }
}

test('an author tries all that server-everything asks, in the browser: folders, a form with every kind of field, a page, a prompt and its answer', async () => {
  const { place, model, context, faults, author } = await sitDown({ everything: { command: node, args: [everything, 'stdio'] } })
  const { page } = author

  // It asks for folders by itself, as soon as it is connected.
  await author.tellFolder(join(place.folder, 'trip'))
  await page.getByText('done today').waitFor()

  await page.evaluate("location.hash = '#/try-it/everything'")
  await author.call('trigger-elicitation-request')
  await author.fillForm()
  await author.decide('Send')
  const form = await author.result('Raw result')

  await author.call('trigger-url-elicitation', { url: await startPage(), message: 'Sign in, please.' })
  await author.pane.getByText('Sign in, please.').first().waitFor()
  await author.visit(context)
  const visit = await author.result('Raw result')

  await author.call('trigger-sampling-request', { prompt: 'Which flight?' })
  await author.pane.getByRole('button', { name: 'Edit: Instructions (system prompt)' }).click()
  await author.pane.getByRole('textbox', { name: 'Instructions (system prompt)' }).fill('Answer in one line.')
  await author.approve('everything', 'The answer of a person.')
  const sampled = await author.result('LLM sampling result')

  await author.call('get-roots-list')
  const folders = await author.result('Current MCP Roots')

  expect(JSON.parse(form.slice(form.indexOf('{'), form.lastIndexOf('}') + 1))).toEqual({
    action: 'accept',
    content: {
      name: 'Ada Lovelace',
      check: true,
      firstLine: 'It was a bright cold day in April.',
      email: 'ada@example.com',
      homepage: 'https://example.com/ada',
      birthdate: '1990-12-10',
      integer: 7,
      number: 2.5,
      untitledSingleSelectEnum: 'Rachel',
      untitledMultipleSelectEnum: ['Guitar', 'Piano'],
      titledSingleSelectEnum: 'hero-2',
      titledMultipleSelectEnum: ['fish-1', 'fish-3'],
      legacyTitledEnum: 'pet-3',
    },
  })
  expect(visit).toContain('"action": "accept"')
  expect(sampled).toContain('The answer of a person.')
  expect(folders).toContain(`file://${place.folder}/trip`)
  expect(JSON.stringify(model.heard.map(({ body }) => body))).toContain('Answer in one line.')
  expect([model.heard.length, faults]).toEqual([1, []])
}, 180_000)

/** Calls a tool, and has what it asks answered meanwhile. @returns the words of its result */
async function callAnswered(client: AnyClient, name: string, args: Readonly<Record<string, unknown>>, answer: () => Promise<void>): Promise<string> {
  const [result] = await Promise.all([client.callTool({ name, arguments: args }), answer()])
  return wordsOf(result)
}

test.each(['SDK v1', 'SDK v2'] as const)(
  'a client (%s) that can be asked nothing calls the same tools through wrap, and a person answers each in the browser',
  async (kind) => {
    const { place, model, context, faults, author } = await sitDown()
    const client = await connectThroughWrap(kind, place, ['--name', 'everything', '--', node, everything, 'stdio'])
    await author.tellFolder(join(place.folder, 'trip'))
    await author.page.getByText('done today').waitFor()
    const call = (name: string, args: Readonly<Record<string, unknown>>, answer: () => Promise<void>): Promise<string> =>
      callAnswered(client, name, args, answer)

    const form = await call('trigger-elicitation-request', {}, async () => {
      await author.fillForm()
      await author.decide('Send')
    })
    const visit = await call('trigger-url-elicitation', { url: await startPage(), message: 'Sign in, please.' }, () => author.visit(context))
    const sampled = await call('trigger-sampling-request', { prompt: 'Which flight?', maxTokens: 50 }, () => author.approve('everything', 'Of a person.'))
    const folders = await call('get-roots-list', {}, () => Promise.resolve())

    expect([form, visit, sampled, folders]).toEqual([
      expect.stringContaining('Ada Lovelace'),
      expect.stringContaining('accept'),
      expect.stringContaining('Of a person.'),
      expect.stringContaining(`file://${place.folder}/trip`),
    ])
    expect([model.heard.length, faults]).toEqual([1, []])
  },
  180_000,
)

test('a client of 2026-07-28 that can be asked nothing gets one result, and a person answers folders, form, page and prompt on the way', async () => {
  const { place, model, context, faults, author } = await sitDown()
  await context.route('https://a.example/', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Signed in</h1>' }))
  const client = await connectThroughWrap('SDK v2, 2026-07-28', place, ['--name', 'asking', '--', node, askingServer, 'modern'])

  const result = await callAnswered(client, 'all', {}, async () => {
    await author.tellFolder(join(place.folder, 'trip'))
    await author.pane.getByRole('textbox', { name: /^name/i }).fill('Ada Lovelace')
    await author.decide('Send')
    await author.visit(context)
    await author.approve('asking', 'Of a person.')
  })

  for (const part of [`file://${place.folder}/trip`, 'Ada Lovelace', 'accept', 'Of a person.']) expect(result).toContain(part)
  expect([model.heard.length, faults]).toEqual([1, []])
}, 180_000)
