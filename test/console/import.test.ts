import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { otherClientFiles } from '../../src/cli/other-clients.ts'
import type { Place } from '../../src/cli/place.ts'
import { projectFolder } from '../architecture/source-files.ts'
import { ConsolePages } from '../fixtures/console-pages.ts'
import { openConsole } from '../fixtures/open-console.ts'

const appFolder = join(projectFolder, 'dist/console')

let pages: ConsolePages

beforeAll(async () => {
  pages = await ConsolePages.launch()
}, 120_000)

afterAll(() => pages.close())

const env = { API_KEY: 'top-secret-1' }
/** One server in the file of each client, written as that client writes it. */
const written: Readonly<Record<string, string>> = {
  'Claude Desktop': JSON.stringify({ mcpServers: { desktop: { command: 'npx', args: ['desktop-server'], env } } }),
  'Claude Code': JSON.stringify({
    numStartups: 7,
    projects: { '/work': { mcpServers: { code: { type: 'stdio', command: 'npx', args: ['code-server'], env } } } },
  }),
  Cursor: JSON.stringify({ mcpServers: { cursor: { command: 'npx', args: ['cursor-server'], env } } }),
  'VS Code': `{\n  // mine\n  "servers": { "vscode": { "type": "stdio", "command": "npx", "args": ["vscode-server"] }, },\n}`,
  Windsurf: JSON.stringify({ mcpServers: { windsurf: { serverUrl: 'https://windsurf.example/mcp' }, surf: { command: 'npx', args: ['surf-server'] } } }),
  Zed: JSON.stringify({ theme: 'One', context_servers: { zed: { source: 'custom', command: 'npx', args: ['zed-server'], env } } }),
  Codex: `model = "o3"\n[mcp_servers.codex]\ncommand = "npx"\nargs = ["codex-server"]\n[mcp_servers.codex.env]\nAPI_KEY = "top-secret-1"\n`,
  'Gemini CLI': JSON.stringify({ theme: 'Dark', mcpServers: { gemini: { command: 'npx', args: ['gemini-server'], env } } }),
}

test('servers of all eight clients are found, shown without their secrets, and written only after they were seen', async () => {
  const home = await mkdtemp(join(tmpdir(), 'consentry-home-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const otherClients = otherClientFiles({ environment: { HOME: home }, platform: 'linux', cwd: join(home, 'nowhere') } as unknown as Place)
  for (const { client, file } of otherClients) {
    const text = written[client]
    if (text === undefined) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const { console, config, edited } = await openConsole({ appFolder, otherClients })
  const { page, faults } = await pages.visit(console.url())
  await page.evaluate("location.hash = '#/servers'")
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  for (const client of Object.keys(written)) await dialog.getByRole('region', { name: client, exact: true }).waitFor()
  const names = ['desktop', 'code', 'cursor', 'vscode', 'surf', 'zed', 'codex', 'gemini']
  for (const name of names) await dialog.getByRole('checkbox', { name, exact: true }).check()
  await dialog.getByRole('button', { name: 'Show what is written' }).click()
  await dialog.getByText('This will be written to the config').first().waitFor()
  const [seen, before] = [await dialog.innerText(), await readFile(edited.file, 'utf8').catch(() => 'no file')]
  await dialog.getByRole('button', { name: 'Write it' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect([before, seen.includes('gemini-server'), seen.includes('top-secret')]).toEqual(['no file', true, false])
  expect([...config.current.mcpServers.keys()]).toEqual(names)
  expect(config.current.mcpServers.get('codex')).toMatchObject({ kind: 'stdio', command: 'npx', args: ['codex-server'], env })
  for (const { client, file } of otherClients) if (written[client] !== undefined) expect(await readFile(file, 'utf8')).toBe(written[client])
  expect(faults).toEqual([])
}, 60_000)
