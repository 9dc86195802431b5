import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { startDesk } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { smallDisk } from '../fixtures/small-disk.ts'

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const asking = { mcpServers: { asking: { command: node, args: [askingServer, 'legacy'] } } }

async function callWho(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name: 'who' }).first().click()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
}

test.skipIf(process.platform !== 'linux')(
  'on a full disk what was filled in waits on and is sent once there is room; no question is answered, no change is made, and the page says what to do',
  async () => {
    const place = new Workplace()
    place.config(asking)
    const disk = smallDisk(place.home)
    const { output } = await startDesk(place, ['up'], disk.before)
    const { page, faults } = await pages.visit(output.url!)
    await page.evaluate("location.hash = '#/try-it/asking'")
    await callWho(page)
    const name = page.locator('article[data-review]').getByRole('textbox').first()
    await name.fill('Ada')
    const send = page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Send' })
    await send.waitFor()

    disk.fill(output.pid)
    await send.click()
    await page.locator('[data-bar]').getByRole('alert').getByText('The audit log cannot be used').waitFor()
    const kept = await name.inputValue()
    await callWho(page)
    const alert = page.getByRole('alert').filter({ hasText: en.shell.faults.audit.title })
    await alert.getByText('Make room on the disk').waitFor()
    const calls = page.getByRole('region', { name: 'Calls' })
    await calls.getByText('cancel').first().waitFor()
    await page.getByRole('switch', { name: 'Always ask me' }).check({ force: true })
    await page.getByText('config.jsonc cannot be written').first().waitFor()
    const [config, barriers] = [readFileSync(disk.inside(output.pid, 'config.jsonc'), 'utf8'), await pages.findBarriers(page)]

    disk.empty(output.pid)
    await alert.waitFor({ state: 'detached', timeout: 30_000 })
    await send.click()
    await calls.getByText('"accept"').or(calls.getByText('Ada')).first().waitFor()
    await page.getByRole('banner').getByRole('button', { name: en.common.close }).click()
    await page.evaluate("location.hash = '#/audit'")
    await page.getByRole('button', { name: en.audit.verify }).click()
    await page.getByText('Complete and unaltered').first().waitFor()

    expect([kept, JSON.parse(config), barriers]).toEqual(['Ada', asking, []])
    expect(faults.filter((fault) => !/status of 503/.test(fault))).toEqual([])
  },
  120_000,
)

test('a config with a typo, and a database that is damaged, are said on the page with the place and what to do, and are over when they are mended', async () => {
  const place = new Workplace()
  const database = join(place.home, 'consentry.db')
  mkdirSync(place.home, { recursive: true, mode: 0o700 })
  writeFileSync(database, 'this is no database'.repeat(1000), { mode: 0o600 })
  place.config(asking)
  const { output } = await startDesk(place, ['up'])
  const { page, faults } = await pages.visit(output.url!)

  const log = page.getByRole('alert').filter({ hasText: en.shell.faults.audit.title })
  await log.getByText('it is damaged: move it away').waitFor()
  place.config('{\n  "rulez": []\n}')
  const config = page.getByRole('alert').filter({ hasText: en.shell.faults.config.title })
  await config.getByText(/config\.jsonc:2:3.*rulez/).waitFor()
  await page.evaluate("location.hash = '#/audit'")
  await page.locator('main').getByText('it is damaged: move it away').nth(1).waitFor()

  rmSync(database)
  place.config(asking)
  await log.waitFor({ state: 'detached', timeout: 30_000 })
  await config.waitFor({ state: 'detached', timeout: 30_000 })
  expect(faults.filter((fault) => !/status of [45]\d\d/.test(fault))).toEqual([])
}, 120_000)

test('whoever starts it wrongly is told in a line what to do, and nothing is left behind', async () => {
  const place = new Workplace()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const inUse = await place.run(['up', '--no-open', '--port', String(port)])
  place.config('{\n  "rulez": []\n}')
  const typo = await place.run(['up', '--no-open'])
  const readOnly = new Workplace()
  mkdirSync(readOnly.home, { mode: 0o555 })
  const unwritable = await readOnly.run(['up', '--no-open'], { isBound: true })

  expect([inUse, typo, unwritable].map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
    [2, ''],
  ])
  expect(inUse.stderr).toMatch(new RegExp(`${port}.*--port`, 's'))
  expect(typo.stderr).toMatch(/config\.jsonc:2:3.*rulez/)
  expect(unwritable.stderr).toMatch(/state.*rights.*CONSENTRY_HOME/s)
  await vi.waitFor(() => expect(place.state().filter((entry) => /desk\.json|sock/.test(entry))).toEqual([]), { timeout: 10_000 })
})
