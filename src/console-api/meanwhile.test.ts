import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import type { ConfigChange } from './contract.ts'

const config = `{
  "mcpServers": { "files": { "command": "node", "args": ["files.js"], "env": { "TOKEN": "old-secret" } } },
  "sampling": { "servers": { "files": { "limits": { "tokensPerDay": 50000 } } }, "total": { "costPerDay": 2 } },
  "models": [{ "provider": "ollama", "model": "qwen3:4b" }]
}
`
const entry = { kind: 'stdio', command: 'node', args: ['other.js'], env: [{ name: 'TOKEN' }] } as const

// The file is edited by hand in the moment before each change: no look at it comes between.
test.each([
  ['a budget was lowered', '50000', '1000', { name: 'files', before: { tokensPerDay: 50000 }, limits: { tokensPerDay: 50000, atOnce: 2 } }, 'servers/limits'],
  [
    'the budget of all was lowered',
    '"costPerDay": 2',
    '"costPerDay": 1',
    { scope: 'total', before: { costPerDay: 2 }, limits: { costPerDay: 3 } },
    'limits/set',
  ],
  ['a secret was rotated', 'old-secret', 'new-secret', { name: 'files', entry, preview: false }, 'servers/change'],
  ['arguments were added', '"files.js"', '"files.js", "--read-only"', { name: 'files', entry, preview: false }, 'servers/change'],
  ['the server was taken out', '"files": { "command"', '"others": { "command"', { name: 'files', entry, preview: false }, 'servers/change'],
  ['the server was changed', 'files.js', 'elsewhere.js', { name: 'files' }, 'servers/remove'],
  ['the model got an address', '"qwen3:4b"', '"qwen3:4b", "baseUrl": "http://127.0.0.1:1/v1"', { id: 'ollama:qwen3:4b' }, 'models/remove'],
] as const)('where %s by hand meanwhile, nothing of it is undone', async (_, from, to, request, call) => {
  const { enter, edited } = await openConsole({ config })
  const browser = await enter()
  const { mark } = await browser.call('servers/get', { name: 'files' })
  const { models } = await browser.call('models/list', {})
  const byHand = config.replace(from, to)
  await writeFile(edited.file, byHand)

  const answer = await browser.call(call, { before: call === 'models/remove' ? models[0]!.mark : mark, ...request } as never)

  expect([answer, await readFile(edited.file, 'utf8')]).toEqual([{ status: 'stale' }, byHand])
})

test('a value that is kept is the one that stands in the file, and no window can tell it from the mark', async () => {
  const { enter, config: file } = await openConsole({ config })
  const browser = await enter()
  const { mark } = await browser.call('servers/get', { name: 'files' })
  const answer = await browser.call('servers/change', { name: 'files', before: mark!, entry, preview: false })

  expect([answer.status, file.current.mcpServers.get('files')]).toMatchObject(['changed', { args: ['other.js'], env: { TOKEN: 'old-secret' } }])
  expect(mark).toMatch(/^[0-9a-f]{64}$/u)
})

test('what is imported is what was shown: another command in the file of the other client by then is not written', async () => {
  const { folder } = await openConsole()
  const file = join(folder, 'cursor.json')
  const other = (...args: readonly string[]): Promise<void> => writeFile(file, JSON.stringify({ mcpServers: { tool: { command: '/bin/sh', args } } }))
  await other('safe')
  const { enter, config: own } = await openConsole({ otherClients: [{ client: 'Cursor', file, format: 'mcpServers' }] })
  const browser = await enter()
  const picks = [{ source: (await browser.call('import/scan', {})).sources[0]!.id, name: 'tool' }]
  const first = await browser.call('import/apply', { picks, preview: true })
  await other('-c', 'touch /tmp/x')
  const applied = await browser.call('import/apply', { picks, preview: false, shown: shownIn(first) })
  const without = await browser.call('import/apply', { picks, preview: false }).catch((error: unknown) => error)
  const second = await browser.call('import/apply', { picks, preview: true })
  const again = await browser.call('import/apply', { picks, preview: false, shown: shownIn(second) })

  expect(without).toMatchObject({ code: 'USAGE' })
  expect([applied, second.status === 'preview' && second.text.includes('touch'), again.status, own.current.mcpServers.size]).toEqual([
    { status: 'stale' },
    true,
    'changed',
    1,
  ])
})

const leftBehind = `{
  "roots": { "ghost": [{ "path": "/srv/papers" }] },
  "rules": [{ "server": "ghost", "request": "sampling", "decision": "allow", "until": "2999-12-31" }, { "server": "*", "decision": "ask" }],
  "sampling": { "servers": { "ghost": { "redact": true } } }
}
`

test('a new server of a name that the config speaks of already is shown with what would hold for it, and only that is written', async () => {
  const { enter, edited, config: own } = await openConsole({ config: leftBehind })
  const browser = await enter()
  const preview = await browser.call('servers/add', { name: 'ghost', entry: { ...entry, env: [] }, preview: true })
  const fresh = await browser.call('servers/add', { name: 'fresh', entry: { ...entry, env: [] }, preview: true })
  await writeFile(edited.file, leftBehind.replace('/srv/papers', '/'))
  const stale = await browser.call('servers/add', { name: 'ghost', entry: { ...entry, env: [] }, preview: false, shown: shownIn(preview) })
  await writeFile(edited.file, leftBehind)
  const added = await browser.call('servers/add', { name: 'ghost', entry: { ...entry, env: [] }, preview: false, shown: shownIn(preview) })

  expect([preview, fresh]).toMatchObject([
    {
      named: [
        {
          server: 'ghost',
          folders: ['/srv/papers'],
          rules: [{ server: 'ghost', request: 'sampling', decision: 'allow', until: '2999-12-31' }],
          settings: true,
        },
      ],
    },
    { named: [] },
  ])
  expect([stale.status, added.status, own.current.mcpServers.has('ghost')]).toEqual(['stale', 'changed', true])
})

function shownIn(answer: ConfigChange): string {
  return (answer.status === 'preview' && answer.shown) || ''
}
