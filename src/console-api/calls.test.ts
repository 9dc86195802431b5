import { readFile, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formReview, openConsole } from '../../test/fixtures/open-console.ts'
import type { ModelProvider } from '../sampling/index.ts'
import { formQuestion, modelQuestion, rootsQuestion } from '../testing/index.ts'

const forever = new AbortController().signal
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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
  const { desk } = await (await browser.watch()).snapshot()

  expect([change, desk]).toMatchObject([
    { status: 'refused', fault: { code: 'CONFIG_INVALID' } },
    { alwaysAsk: true, configFault: { code: 'CONFIG_INVALID' } },
  ])
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

test('a server is added after a preview, changed, switched off and removed; secrets do not leave the desk', async () => {
  const { enter, config, edited } = await openConsole()
  const browser = await enter()
  const entry = {
    kind: 'stdio',
    command: 'node',
    args: ['x.js'],
    env: [
      { name: 'TOKEN', value: 'hunter2-secret' },
      { name: 'REF', value: '${REF}' },
    ],
  } as const
  const preview = await browser.call('servers/add', { name: 'files', entry, preview: true })
  const before = config.current.mcpServers.size
  const added = await browser.call('servers/add', { name: 'files', entry, preview: false })
  const twice = await browser.call('servers/add', { name: 'files', entry, preview: false })
  const shown = await browser.call('servers/get', { name: 'files' })
  const changed = await browser.call('servers/change', { name: 'files', entry: { ...entry, command: 'bun', env: [{ name: 'TOKEN' }] }, preview: false })
  const written = config.current.mcpServers.get('files')
  const off = await browser.call('servers/disable', { name: 'files', disabled: true })
  const isOff = config.current.mcpServers.get('files')?.disabled
  const removed = await browser.call('servers/remove', { name: 'files' })
  const gone = await browser.call('servers/remove', { name: 'files' })

  expect([preview.status, before, added.status, twice.status, changed.status, off.status, isOff, removed.status, gone.status]).toEqual([
    'preview',
    0,
    'changed',
    'refused',
    'changed',
    'changed',
    true,
    'changed',
    'stale',
  ])
  expect(written).toMatchObject({ command: 'bun', env: { TOKEN: 'hunter2-secret' } })
  expect(shown.entry).toEqual({ kind: 'stdio', command: 'node', args: ['x.js'], env: [{ name: 'TOKEN' }, { name: 'REF', value: '${REF}' }], disabled: false })
  expect(JSON.stringify([preview, added, shown, changed, off, removed])).not.toContain('hunter2')
  expect(JSON.parse(await readFile(edited.file, 'utf8'))).toEqual({ mcpServers: {} })
})

test('an entry that is none is refused with the reason, and nothing is written', async () => {
  const { enter, config } = await openConsole()
  const browser = await enter()
  const http = await browser.call('servers/add', { name: 'x', entry: { kind: 'http', url: 'ftp://x', headers: [] }, preview: false })
  const star = await browser.call('servers/add', { name: '*', entry: { kind: 'stdio', command: 'x', args: [], env: [] }, preview: true })

  expect([http, star]).toMatchObject([{ status: 'refused' }, { status: 'refused' }])
  await expect(browser.call('servers/get', { name: 'x' })).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND', status: 404 })
  expect(config.current.mcpServers.size).toBe(0)
})

test('a server is started, stopped and restarted, and every window sees how it goes', async () => {
  const { enter, server } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  await browser.call('servers/start', { name: 'travel' })
  const ready = await stream.next('server-changed', (event) => event.server.state === 'ready')
  await browser.call('servers/stop', { name: 'travel' })
  await stream.next('server-changed', (event) => event.server.state === 'idle')
  await browser.call('servers/restart', { name: 'travel' })
  await expect.poll(async () => (await browser.call('servers/get', { name: 'travel' })).state).toBe('ready')

  expect(ready.server).toMatchObject({ name: 'travel', source: 'config', description: { name: 'scripted' } })
  expect(await browser.call('servers/get', { name: 'travel' })).toMatchObject({
    promised: { form: true, roots: true },
    muted: false,
    traffic: false,
    enforcement: 'told',
  })
  expect(server.received.length).toBeGreaterThan(1)
  await expect(browser.call('servers/start', { name: 'nobody' })).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' })
})

test('servers of other clients are shown before anything is written, and only those that are picked are', async () => {
  const setting = await openConsole({ config: '{"mcpServers":{"notes":{"command":"mine"}}}', otherClients: [] })
  const file = join(setting.folder, 'cursor.json')
  await writeFile(
    file,
    '{"mcpServers":{"notes":{"command":"theirs"},"files":{"command":"npx","env":{"K":"top-secret-1"}},"old":{"type":"sse","url":"https://x"}}}',
  )
  const { enter, config } = await openConsole({
    config: '{"mcpServers":{"notes":{"command":"mine"}}}',
    otherClients: [
      { client: 'Cursor', file, format: 'mcpServers' },
      { client: 'Zed', file: '/no/such/file', format: 'context_servers' },
    ],
  })
  const browser = await enter()
  const { sources } = await browser.call('import/scan', {})
  const picks = [
    { source: sources[0]!.id, name: 'files' },
    { source: sources[0]!.id, name: 'notes', as: 'their-notes' },
  ]
  const preview = await browser.call('import/apply', { picks, preview: true })
  const before = [...config.current.mcpServers.keys()]
  const clash = await browser.call('import/apply', { picks: [{ source: sources[0]!.id, name: 'notes' }], preview: false })
  const applied = await browser.call('import/apply', { picks, preview: false })

  expect(sources.map(({ client, servers }) => [client, servers.map(({ name, known, fault }) => [name, known, fault !== undefined])])).toEqual([
    [
      'Cursor',
      [
        ['notes', 'different', false],
        ['files', 'no', false],
        ['old', 'no', true],
      ],
    ],
  ])
  expect([preview.status, before, clash.status, applied.status, [...config.current.mcpServers.keys()]]).toEqual([
    'preview',
    ['notes'],
    'refused',
    'changed',
    ['notes', 'files', 'their-notes'],
  ])
  expect(JSON.stringify([sources, preview, applied])).not.toContain('top-secret')
  await expect(browser.call('import/apply', { picks: [{ source: 'x', name: 'y' }], preview: true })).rejects.toMatchObject({ code: 'USAGE' })
})

test('rules are added, changed and removed; who has seen another one than there is now is told', async () => {
  const { enter, config } = await openConsole()
  const browser = await enter()
  const rule = { server: 'travel', request: 'roots', decision: 'allow' } as const
  const added = await browser.call('rules/add', { rule })
  const wrong = await browser.call('rules/add', { rule: { decision: 'perhaps' as never } })
  const { rules } = await browser.call('rules/list', {})
  const changed = await browser.call('rules/change', { index: 0, before: rules[0]!, rule: { ...rule, decision: 'deny' } })
  const stale = await browser.call('rules/remove', { index: 0, before: rules[0]! })
  const removed = await browser.call('rules/remove', { index: 0, before: { ...rule, decision: 'deny' } })

  expect([added, wrong, changed, stale, removed].map(({ status }) => status)).toEqual(['changed', 'refused', 'changed', 'stale', 'changed'])
  expect(rules).toMatchObject([{ ...rule, index: 0, expired: false }])
  expect(config.current.rules).toEqual([])
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
  const home = await browser.call('roots/add', { server: '*', path: folder })
  const top = await browser.call('roots/add', { server: '*', path: '/' })
  const added = await browser.call('roots/add', { server: 'travel', path: project, name: 'Trip' })
  const { roots } = await browser.call('roots/list', {})
  const removed = await browser.call('roots/remove', { server: 'travel', path: project })

  expect(candidates[0]).toMatchObject({ path: project, evidence: [{ kind: 'npm', file: 'package.json' }], level: 'ok' })
  expect(browsed).toMatchObject({ path: folder, level: 'confirm', warning: { key: 'concern-home' } })
  expect(browsed.folders.map(({ name }) => name)).toEqual(['app', 'state', 'trip', '.hidden'])
  expect([home.status, top.status, added.status, removed.status]).toEqual(['unconfirmed', 'refused', 'added', 'changed'])
  expect(roots).toMatchObject([{ server: 'travel', path: project, name: 'Trip', status: 'ok', source: 'config' }])
  expect(config.current.roots.get('travel')).toEqual([])
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

test('a prompt is shown with its picture apart, edited, and goes to the model as edited; the answer comes back for a look', async () => {
  const asked: unknown[] = []
  const provider: ModelProvider = {
    leavesOut: () => [],
    complete: (request) => {
      asked.push(request.messages)
      return Promise.resolve({ content: [{ type: 'text', text: 'Take the 10:05.' }], model: 'small', stopReason: 'endTurn' })
    },
  }
  const messages = [
    { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
    { role: 'user', content: { type: 'text', text: 'Which flight?' } },
  ]
  const { enter, host } = await openConsole({ provider, server: { tools: { advise: [modelQuestion('', { messages })] } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'advise', arguments: {} })
  const prompt = await stream.next('review-opened', ({ review }) => review.kind === 'prompt')
  const found = await browser.call('review/get', { id: prompt.review.id })
  if (found.status !== 'found' || found.review.kind !== 'prompt') throw new Error('no prompt')
  const { request } = found.review.subject
  const [picture] = request.messages[0]!.content
  if (picture?.type !== 'image') throw new Error('no picture')
  const bytes = await fetch(`${browser.origin}/media/${picture.media}`, { headers: { cookie: browser.cookie } })
  const without = await fetch(`${browser.origin}/media/${picture.media}`)
  const edited = { ...request, messages: [request.messages[0]!, { role: 'user' as const, content: [{ type: 'text' as const, text: 'Which train?' }] }] }
  const decided = await browser.call('review/decide', { id: prompt.review.id, decision: { action: 'approve', request: edited } })
  const completion = await stream.next('review-opened', ({ review }) => review.kind === 'completion')
  const shown = await browser.call('review/get', { id: completion.review.id })
  await browser.call('review/decide', { id: completion.review.id, decision: { action: 'approve' } })
  const { call } = await stream.next('call-changed', (event) => event.call.state === 'done')
  const gone = await fetch(`${browser.origin}/media/${picture.media}`, { headers: { cookie: browser.cookie } })

  expect(JSON.stringify(found)).not.toContain(pixel)
  expect(picture).toMatchObject({ mimeType: 'image/png', bytes: 70, viewable: true })
  expect([bytes.status, bytes.headers.get('content-type'), bytes.headers.get('content-security-policy'), without.status, gone.status]).toEqual([
    200,
    'image/png',
    "default-src 'none'; sandbox",
    404,
    404,
  ])
  expect(Buffer.from(await bytes.arrayBuffer()).toString('base64')).toBe(pixel)
  expect(decided.status).toBe('decided')
  expect(asked).toMatchObject([[{ content: [{ type: 'image', data: pixel }] }, { content: [{ text: 'Which train?' }] }]])
  expect(shown).toMatchObject({ review: { kind: 'completion', draft: { content: [{ text: 'Take the 10:05.' }] } } })
  expect(JSON.stringify(call.result)).toContain('10:05')
})

test('a picture of another review, or of nobody, cannot be put into a prompt', async () => {
  const { inbox, enter } = await openConsole()
  const { origin } = formReview()
  const request = { messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] }], maxTokens: 10 }
  void inbox.review({ kind: 'prompt', origin, subject: { request, choice: { model: 'person', why: '' } }, draft: request }, forever)
  const browser = await enter()
  const stolen = { messages: [{ role: 'user', content: [{ type: 'image', media: 'a'.repeat(64), mimeType: 'image/png' }] }], maxTokens: 10 }

  await expect(browser.call('review/decide', { id: 'review-1', decision: { action: 'approve', request: stolen as never } })).rejects.toMatchObject({
    code: 'USAGE',
  })
  expect(inbox.size).toBe(1)
})

test.each<[string, string, string]>([
  ['HTML that calls itself a picture', 'image/png', Buffer.from('<script>alert(1)</script>').toString('base64')],
  ['a drawing that can run scripts', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
  ['a picture that would need a gigabyte', 'image/gif', Buffer.from('474946383961ffffffff000000', 'hex').toString('base64')],
  ['a type that is none', 'image/png"; x', pixel],
])('%s is told by type and size, and never served', async (_, mimeType, data) => {
  const { host, enter } = await openConsole({ server: { tools: { draw: () => ({ result: { content: [{ type: 'image', mimeType, data }] } }) } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'draw', arguments: {} })
  const { call } = await stream.next('call-changed', (event) => event.call.state === 'done')
  const [shown] = call.result!.content as readonly { readonly media: string; readonly viewable: boolean }[]
  const response = await fetch(`${browser.origin}/media/${shown!.media}`, { headers: { cookie: browser.cookie } })

  expect([shown!.viewable, response.status]).toEqual([false, 404])
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

test('the timeline has every arrow of a question, its messages with secrets masked, and can be saved as a diagram', async () => {
  const properties = { password: { type: 'string' }, seat: { type: 'string' } }
  const { host, enter } = await openConsole({ server: { tools: { book: [formQuestion('Who?', properties)] } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
  const { review } = await stream.next('review-opened')
  await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { password: 'hunter2hunter2', seat: '12A' } } })
  await stream.next('call-changed', ({ call }) => call.state === 'done')
  const { events } = await browser.call('timeline/list', { filter: { server: 'travel', questionsOnly: true } })
  const answered = events.find(({ kind }) => kind === 'answered')!
  const { json } = await browser.call('timeline/message', { id: answered.id })
  const page = await browser.call('timeline/list', { limit: 2 })
  const found = await browser.call('timeline/list', { filter: { search: '12a' } })
  const diagram = await browser.call('timeline/export', { format: 'mermaid' })
  const saved = await browser.call('timeline/export', { format: 'json' })

  expect(
    events
      .toReversed()
      .filter(({ thread }) => thread === answered.thread)
      .map(({ kind, from, to }) => `${from} ${kind} ${to}`),
  ).toEqual(['server asked desk', 'desk shown you', 'you decided desk', 'desk answered server'])
  expect(json).toContain('"seat": "12A"')
  expect(json).toMatch(/"password": "(\(hidden\)|\[redacted:password\])"/)
  expect(json).not.toContain('hunter2')
  expect([page.events.length, page.next]).toEqual([2, page.events[1]!.id])
  expect(found.events.map(({ kind }) => kind)).toContain('answered')
  expect(diagram.text).toMatch(/^sequenceDiagram\n {2}participant you\n/)
  expect(JSON.parse(saved.text)).toHaveLength(events.length)
})

test('the audit log is paged newest first, filtered, verified and saved; usage is counted from it', async () => {
  const { host, enter } = await openConsole({ server: { tools: { book: [formQuestion('Who?', { seat: { type: 'string' } })] } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
  const { review } = await stream.next('review-opened')
  await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: 'secret-seat' } } })
  await stream.next('call-changed', ({ call }) => call.state === 'done')
  const all = await browser.call('audit/list', {})
  const first = await browser.call('audit/list', { limit: 1 })
  const second = await browser.call('audit/list', { limit: 1, before: first.next })
  const decided = await browser.call('audit/list', { filter: { event: 'decided', by: 'person', search: 'ACCEPT' } })
  const none = await browser.call('audit/list', { filter: { server: 'other' } })
  const verified = await browser.call('audit/verify', {})
  const saved = await browser.call('audit/export', {})
  const today = new Date()
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  const usage = await browser.call('usage/list', { from: day, to: day })

  expect(all.entries.filter(({ request }) => request === 'elicitation').map(({ event }) => event)).toEqual(['answered', 'decided', 'review-opened', 'asked'])
  expect(second.entries[0]!.position).toBe(first.entries[0]!.position - 1)
  expect([decided.entries.length, none.entries.length]).toEqual([1, 0])
  expect(verified).toEqual({ ok: true, entries: all.entries.length })
  expect(saved.text.trim().split('\n')).toHaveLength(all.entries.length)
  expect(JSON.stringify([all, saved])).not.toContain('secret-seat')
  expect(usage.days).toMatchObject([{ day, server: 'travel', asked: { elicitation: 1 }, answered: 1 }])
  await expect(browser.call('usage/list', { from: 'x', to: day })).rejects.toMatchObject({ code: 'USAGE' })
})

test('models are listed without their keys and can be tested; one that is not there says so', async () => {
  const { enter } = await openConsole({ config: '{"models":[{"provider":"anthropic","model":"claude-sonnet-4-5","apiKey":"sk-ant-hidden"}]}' })
  const browser = await enter()
  const { models } = await browser.call('models/list', {})
  const test = await browser.call('models/test', { id: 'anthropic:claude-sonnet-4-5' })

  expect(models).toMatchObject([{ id: 'anthropic:claude-sonnet-4-5', hasKey: true }])
  expect(JSON.stringify(models)).not.toContain('sk-ant')
  expect(test).toMatchObject({ ok: false, fault: { code: 'MODEL_UNKNOWN' } })
})

test('a server that is muted is shown as such, and can be heard again', async () => {
  const { inbox, enter } = await openConsole()
  const review = formReview()
  void inbox.review({ ...review, origin: { ...review.origin, server: { ...review.origin.server, target: { kind: 'custom', description: 'x' } } } }, forever)
  const browser = await enter()
  await browser.call('review/decide', { id: 'review-1', decision: { action: 'cancel', stopAsking: true } })
  const muted = await browser.call('servers/get', { name: 'travel' })
  await browser.call('servers/unmute', { name: 'travel' })
  const heard = await browser.call('servers/get', { name: 'travel' })

  expect([muted.muted, heard.muted]).toEqual([true, false])
})
