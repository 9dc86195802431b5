import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import { rootsQuestion } from '../testing/index.ts'

test('"always ask me" holds at once, is in the config, and every window is told', async () => {
  const { enter, edited } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const change = await browser.call('always-ask/set', { on: true })
  await stream.next('desk-changed', ({ desk }) => desk.alwaysAsk)

  expect([change.status, JSON.parse(await readFile(edited.file, 'utf8'))]).toEqual(['changed', { alwaysAsk: true }])
})

test('"always ask me" holds also where the config cannot be changed', async () => {
  const { enter, edited } = await openConsole({ config: '{}' })
  const browser = await enter()
  await writeFile(edited.file, '{ broken')
  const change = await browser.call('always-ask/set', { on: true })

  expect(change).toMatchObject({ status: 'refused', fault: { code: 'CONFIG_INVALID' } })
  // The file is looked at every now and then.
  const look = async (): Promise<unknown> => (await (await browser.watch()).snapshot()).desk
  await vi.waitFor(async () => expect(await look()).toMatchObject({ alwaysAsk: true, configFault: { code: 'CONFIG_INVALID' } }), { timeout: 20_000 })
})

test('what a person likes is kept, and only what is known of it', async () => {
  const { enter, folder } = await openConsole()
  const browser = await enter()
  await browser.call('preferences/set', { language: 'ko', theme: 'dark' })
  const second = await browser.call('preferences/set', { language: 'klingon', tourSeen: true, evil: 1 } as never)
  const { preferences } = await (await browser.watch()).snapshot()

  expect([second, preferences, JSON.parse(await readFile(join(folder, 'state', 'preferences.json'), 'utf8'))]).toEqual(
    Array.from({ length: 3 }, () => ({ language: 'ko', theme: 'dark', tourSeen: true })),
  )
})

test('folders are found, looked at, added after a warning, listed and removed', async () => {
  const { enter, folder, config } = await openConsole()
  const project = join(folder, 'trip')
  await mkdir(join(project, '.git'), { recursive: true })
  await mkdir(join(folder, '.hidden'))
  await writeFile(join(project, 'package.json'), '{"name":"trip"}')
  const browser = await enter()
  const { candidates } = await browser.call('roots/detect', { path: project })
  const browsed = await browser.call('roots/browse', {})
  const home = await browser.call('roots/add', { server: '*', path: folder, before: [] })
  const top = await browser.call('roots/add', { server: '*', path: '/', before: [] })
  const added = await browser.call('roots/add', { server: 'travel', path: project, name: 'Trip', before: [] })
  const { roots } = await browser.call('roots/list', {})
  const others = await Promise.all([
    browser.call('roots/add', { server: 'travel', path: join(folder, 'app'), before: [] }),
    browser.call('roots/add', { server: 'travel', path: join(folder, 'app'), before: [project, folder] }),
    browser.call('roots/remove', { server: 'travel', path: project, before: {} }),
    browser.call('roots/remove', { server: 'travel', path: folder, before: { name: 'Trip' } }),
  ])
  const removed = await browser.call('roots/remove', { server: 'travel', path: `${project}/`, before: { name: 'Trip' } })
  const { entries } = await browser.call('audit/list', { filter: { request: 'roots' } })

  expect(candidates[0]).toMatchObject({ path: project, evidence: [{ kind: 'npm', file: 'package.json' }], level: 'ok' })
  expect(browsed).toMatchObject({ path: folder, level: 'confirm', warning: { key: 'concern-home' } })
  expect(browsed.folders.map(({ name }) => name)).toEqual(['app', 'state', 'trip', '.hidden'])
  expect([home.status, top.status, added.status, removed.status]).toEqual(['unconfirmed', 'refused', 'added', 'changed'])
  expect(roots).toMatchObject([{ server: 'travel', path: project, name: 'Trip', status: 'ok', source: 'config' }])
  expect(others.map(({ status }) => status)).toEqual(['stale', 'stale', 'stale', 'stale'])
  expect(config.current.roots.get('travel')).toBeUndefined()
  expect(entries.map(({ event, server, by, surface, facts }) => ({ event, server, by, surface, facts }))).toEqual([
    { event: 'revoked', server: 'travel', by: 'person', surface: 'console', facts: { revoked: [project], source: 'config' } },
    { event: 'granted', server: 'travel', by: 'person', surface: 'console', facts: { granted: [project], source: 'config' } },
  ])
})

test('a folder goes to the command that was shown, and to no other that has its name by now', async () => {
  const { enter, folder, edited, config } = await openConsole({
    config: JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['notes.js'], disabled: true } } }),
  })
  const path = join(folder, 'trip')
  await mkdir(path)
  const browser = await enter()
  const { mark } = await browser.call('servers/get', { name: 'notes' })
  const unseen = await browser.call('roots/add', { server: 'notes', path, before: [] })
  await writeFile(edited.file, JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['other.js'], disabled: true } } }))
  const replaced = await browser.call('roots/add', { server: 'notes', path, before: [], mark })
  await vi.waitFor(() => expect(config.current.mcpServers.get('notes')).toMatchObject({ args: ['other.js'] }), { timeout: 10_000 })
  const now = await browser.call('servers/get', { name: 'notes' })
  const seen = await browser.call('roots/add', { server: 'notes', path, before: [], mark: now.mark })

  expect([unseen, replaced, seen].map(({ status }) => status)).toEqual(['stale', 'stale', 'added'])
})

test('a folder is listed as its server hears of it: under both names where it is mapped, and not as told where it is not', async () => {
  const config = {
    mcpServers: { box: { command: 'docker', args: ['run', 'box'] }, notes: { url: 'https://notes.example/mcp' } },
    roots: { box: [{ path: '~/app' }], notes: [{ path: '~/app' }], '*': [{ path: '~/app' }] },
    rootMappings: { box: { '~': 'file:///home/box' } },
  }
  const { enter, folder } = await openConsole({ config: JSON.stringify(config) })
  const { roots } = await (await enter()).call('roots/list', {})
  const path = join(folder, 'app')

  expect(roots.map(({ server, path: at, status, uri, elsewhere }) => ({ server, at, status, uri, elsewhere }))).toEqual([
    { server: 'box', at: path, status: 'ok', uri: 'file:///home/box/app', elsewhere: undefined },
    { server: 'notes', at: path, status: 'unmapped', uri: undefined, elsewhere: undefined },
    {
      server: '*',
      at: path,
      status: 'ok',
      uri: `file://${path}`,
      elsewhere: [
        { server: 'box', uri: 'file:///home/box/app' },
        { server: 'notes', uri: null },
      ],
    },
  ])
})

test('folders are granted in a review with their evidence, remembered, listed as a grant and revoked', async () => {
  const { enter, folder, host } = await openConsole({ server: { era: 'legacy', tools: { look: [rootsQuestion()] } } })
  const project = join(folder, 'trip')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{}')
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'look', arguments: {} })
  const { review } = await stream.next('review-opened', (event) => event.review.kind === 'folders')
  const found = await browser.call('review/get', { id: review.id })
  await browser.call('review/draft', { id: review.id, window: 'w', draft: { roots: [{ path: project }] } })
  const again = await browser.call('review/get', { id: review.id })
  const faulty = await browser.call('review/decide', { id: review.id, decision: { action: 'grant', roots: [{ path: folder }] } })
  const decided = await browser.call('review/decide', { id: review.id, decision: { action: 'grant', roots: [{ path: project }], remember: {} } })
  await stream.next('call-changed', ({ call }) => call.state === 'done')
  const { grants } = await browser.call('grants/list', { server: 'travel' })
  const { roots } = await browser.call('roots/list', {})
  const detail = await browser.call('servers/get', { name: 'travel' })
  const revoked = await browser.call('grants/revoke', { id: grants[0]!.id })

  expect([found, again, faulty, decided, revoked]).toMatchObject([
    { review: { kind: 'folders', subject: { enforcement: 'told', candidates: [] } } },
    { review: { draft: { roots: [{ path: project }] } } },
    { status: 'faulty', faults: [{ problem: 'folder-unconfirmed' }] },
    { status: 'decided' },
    { revoked: true },
  ])
  expect(roots).toMatchObject([{ source: 'grant', path: project, status: 'ok', grant: grants[0]!.id }])
  expect(detail.told.map(({ uri }) => uri)).toEqual([expect.stringContaining('/trip')])
})

test('tools are listed with a form where their schema is flat; arguments are checked, calls can be taken back', async () => {
  const { host, enter } = await openConsole({
    server: {
      tools: {
        flat: { run: () => 'ok', inputSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 2 } }, required: ['n'] } },
        deep: { run: () => 'ok', inputSchema: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'number' } } } } } },
        slow: () => new Promise(() => undefined),
      },
    },
  })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  const { tools } = await browser.call('tools/list', { server: 'travel' })
  const check = (tool: string, given: object): Promise<unknown> => browser.call('tools/check', { server: 'travel', tool, arguments: given as never })
  const checks = await Promise.all([check('flat', { n: 1 }), check('flat', { n: 2 }), check('deep', { a: { b: 'x' } }), check('deep', { a: { b: 1 } })])
  const { call } = await browser.call('tools/call', { server: 'travel', tool: 'slow', arguments: {} })
  await browser.call('tools/cancel', { id: call.id })
  const ended = await stream.next('call-changed', (event) => event.call.state !== 'running')

  expect(tools.map(({ name, form }) => [name, form !== undefined])).toEqual([
    ['flat', true],
    ['deep', false],
    ['slow', true],
  ])
  expect(checks).toMatchObject([{ status: 'faulty', faults: [{ field: 'n' }] }, { status: 'fits' }, { status: 'faulty' }, { status: 'fits' }])
  expect(ended.call).toMatchObject({ state: 'cancelled', fault: { code: 'CALL_CANCELLED' } })
})

test('models are listed without their keys and can be tested; one that is not there says so', async () => {
  const { enter } = await openConsole({ config: '{"models":[{"provider":"anthropic","model":"claude-sonnet-4-5","apiKey":"sk-ant-hidden"}]}' })
  const browser = await enter()
  const { models } = await browser.call('models/list', {})
  const test = await browser.call('models/test', { id: 'anthropic:claude-sonnet-4-5' })

  expect(models).toMatchObject([{ id: 'anthropic:claude-sonnet-4-5', key: { kind: 'text' } }])
  expect(JSON.stringify(models)).not.toContain('sk-ant')
  expect(test).toMatchObject({ ok: false, fault: { code: 'MODEL_UNKNOWN' } })
})

test('a server with files of its own is told by which names it knows folders, from the console too, as they were shown, and what can be none is refused', async () => {
  const { enter, folder, config, audit } = await openConsole({
    config: JSON.stringify({
      mcpServers: { box: { command: 'docker' } },
      roots: { box: [{ path: '~/app' }] },
      rootMappings: { box: { '~': 'file:///home/box' } },
    }),
  })
  const browser = await enter()
  const map = (path: string, uri?: string, before?: string): Promise<{ readonly status: string }> =>
    browser.call('roots/map', { server: 'box', path, ...(uri !== undefined && { uri }), ...(before !== undefined && { before }) })
  const answers = [
    await map('app', 'file:///w'),
    await map('~/app', '/w'),
    await map('~/app', 'file:///w#x'),
    await map(folder, 'file:///w'),
    await map('~/app/', 'file:///w/app/'),
    await map(folder, 'file:///w', 'file:///home/box'),
    await map('~', undefined, 'file:///home/box'),
  ]
  const { roots } = await browser.call('roots/list', {})
  const { mappings } = await browser.call('servers/get', { name: 'box' })
  await map(join(folder, 'app'), undefined, 'file:///w/app')
  await map('~', undefined, 'file:///w')

  expect(answers).toMatchObject([
    { status: 'invalid', field: 'path' },
    { status: 'invalid', field: 'uri' },
    { status: 'invalid', field: 'uri' },
    { status: 'stale' },
    { status: 'changed' },
    { status: 'changed' },
    { status: 'stale' },
  ])
  expect(roots).toMatchObject([{ path: join(folder, 'app'), status: 'ok', uri: 'file:///w/app' }])
  expect(mappings).toEqual([
    { path: folder, uri: 'file:///w' },
    { path: join(folder, 'app'), uri: 'file:///w/app' },
  ])
  expect(config.current.rootMappings.get('box')).toBeUndefined()
  const written = []
  for await (const { event, facts } of audit.export()) written.push([event, facts])
  expect(written).toEqual([
    ['granted', { granted: [join(folder, 'app')], source: 'mapping', as: 'file:///w/app/' }],
    ['granted', { granted: [folder], source: 'mapping', as: 'file:///w' }],
    ['revoked', { revoked: [join(folder, 'app')], source: 'mapping' }],
    ['revoked', { revoked: [folder], source: 'mapping' }],
  ])
})
