import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { eventually } from '../fixtures/deciding-page.ts'
import { startDesk } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

test('the traffic of a server behind a client is seen while somebody wants to, without its secrets, and no longer', async () => {
  const place = new Workplace()
  const { output } = await startDesk(place, ['up'])
  const { page, faults } = await pages.visit(output.url!)
  const client = RawClient.wrap(place, ['--name', 'asking', '--', node, askingServer, 'legacy'])
  await client.shakeHands()
  let id = 0
  const call = async (name: string, given: object): Promise<void> => {
    id += 1
    client.say({ id, method: 'tools/call', params: { name, arguments: given } })
    if (name === 'who') await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Decline' }).first().click()
    await client.answerTo(id)
  }
  const go = async (screen: string): Promise<void> => {
    await page.evaluate(`location.hash = '#/${screen}'`)
    await page.locator('main h1').first().waitFor()
  }
  const lines = page.locator('main ol button').filter({ hasText: 'tools/call' })

  await call('who', {})
  await go('servers/asking')
  const traffic = page.getByRole('switch', { name: 'Keep its whole traffic in memory, for the timeline' })
  await traffic.click({ force: true })
  await eventually(async () => expect(await traffic.isChecked()).toBe(true))
  await go('timeline')
  // The wrap hears of it a moment later.
  await eventually(async () => {
    await call('echo', { note: 'plain-words', password: 'hunter2-in-plain' })
    await lines.first().waitFor({ timeout: 1000 })
  })
  await lines.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('plain-words').waitFor()
  const shown = await dialog.innerText()
  const barriers = await pages.findBarriers(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await go('servers/asking')
  await traffic.click({ force: true })
  await eventually(async () => expect(await traffic.isChecked()).toBe(false))
  await go('timeline')
  const before = await lines.count()
  await call('echo', { note: 'not-any-more' })
  await go('inbox')
  await call('who', {})
  await go('timeline')
  // What is asked is drawn all the same, and after what was said before it.
  await page.getByText('asking · decides').nth(1).waitFor()

  expect([shown.includes('hunter2-in-plain'), barriers, faults]).toEqual([false, [], []])
  expect(await lines.count()).toBeLessThanOrEqual(before)
}, 120_000)

test('traffic without end fills neither the memory of the desk nor the page, and the page says how much of it is gone', async () => {
  const place = new Workplace()
  const { output } = await startDesk(place, ['up'])
  const { page, faults } = await pages.visit(output.url!)
  const client = RawClient.wrap(place, ['--name', 'asking', '--', node, askingServer, 'legacy'])
  await client.shakeHands()
  await page.evaluate("location.hash = '#/servers/asking'")
  await page.getByRole('switch', { name: 'Keep its whole traffic in memory, for the timeline' }).click({ force: true })
  await page.evaluate("location.hash = '#/timeline'")
  await page.locator('main h1').first().waitFor()

  // A bounded amount is kept in a second: it takes a while until there is too much.
  const gone = page.getByText(/older ones are gone/)
  const note = 'n'.repeat(4000)
  for (let id = 1; (await gone.count()) === 0 && id < 100_000; id += 100) {
    for (let index = id; index < id + 100; index += 1) client.say({ id: index, method: 'tools/call', params: { name: 'echo', arguments: { note } } })
    await client.answerTo(id + 99)
  }
  await gone.waitFor()
  const lines = await page.locator('main ol > li').count()
  const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${output.pid}/status`, 'utf8'))?.[1]) / 1024
  client.say({ id: 100_001, method: 'tools/call', params: { name: 'who', arguments: {} } })
  await page.evaluate("location.hash = '#/inbox'")
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Decline' }).first().click()
  await client.answerTo(100_001)

  expect([lines <= 300, faults]).toEqual([true, []])
  expect(peak).toBeLessThan(300)
}, 180_000)
