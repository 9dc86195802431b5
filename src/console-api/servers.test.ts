import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { formReview, openConsole } from '../../test/fixtures/open-console.ts'
import { formQuestion } from '../testing/index.ts'
import type { ConfigChange } from './contract.ts'

const shownIn = (answer: ConfigChange): string => (answer.status === 'preview' && answer.shown) || ''
const forever = new AbortController().signal

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
  const proposed = { name: 'files', entry, preview: false, shown: shownIn(preview) }
  const added = await browser.call('servers/add', proposed)
  const twice = await browser.call('servers/add', proposed)
  const shown = await browser.call('servers/get', { name: 'files' })
  const changed = await browser.call('servers/change', {
    name: 'files',
    before: shown.mark!,
    entry: { ...entry, command: 'bun', env: [{ name: 'TOKEN' }] },
    preview: false,
  })
  const written = config.current.mcpServers.get('files')
  const { mark } = await browser.call('servers/get', { name: 'files' })
  const off = await browser.call('servers/disable', { name: 'files', before: mark!, disabled: true })
  const isOff = config.current.mcpServers.get('files')?.disabled
  const last = (await browser.call('servers/get', { name: 'files' })).mark!
  const removed = await browser.call('servers/remove', { name: 'files', before: last })
  const gone = await browser.call('servers/remove', { name: 'files', before: last })

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
  const http = await browser.call('servers/add', { name: 'x', entry: { kind: 'http', url: 'ftp://x', headers: [] }, preview: true })
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
  const clash = await browser.call('import/apply', { picks: [{ source: sources[0]!.id, name: 'notes' }], preview: true })
  const applied = await browser.call('import/apply', { picks, preview: false, shown: shownIn(preview) })

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
  expect(await browser.call('import/apply', { picks: [{ source: 'x', name: 'y' }], preview: true })).toEqual({ status: 'stale' })
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

test('a form is answered by itself from the moment that a rule made of it stands first, and asked about again once the rule is gone', async () => {
  const { host, enter, config } = await openConsole({
    config: '{"rules":[{"server":"travel","request":"elicitation","decision":"ask"}]}',
    server: { tools: { book: [formQuestion('Which seat?', { seat: { type: 'string' }, meal: { type: 'string', default: 'fish' } })] } },
  })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  const book = async (): Promise<string> => (await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })).call.id
  const first = await book()
  const { review } = await stream.next('review-opened')
  const found = await browser.call('review/get', { id: review.id })
  const schema = found.status === 'found' && found.review.kind === 'form' ? found.review.subject.fingerprint : undefined
  const content = { seat: '12A', meal: null }
  const rule = {
    server: 'travel',
    request: 'elicitation',
    mode: 'form',
    message: 'Which seat?',
    schema,
    decision: 'allow',
    content,
    until: '2999-12-31',
  } as const
  const written = await browser.call('rules/add', { rule, first: true })
  await browser.call('review/decide', { id: review.id, decision: { action: 'decline' } })
  await stream.next('call-changed', ({ call }) => call.id === first && call.state === 'done')
  const second = await book()
  const { call: answered } = await stream.next('call-changed', ({ call }) => call.id === second && call.state === 'done')
  const before = config.current.rules.map(({ decision }) => decision)
  await browser.call('rules/raise', { index: 1, before: { server: 'travel', request: 'elicitation', decision: 'ask' } })
  const third = await book()
  await stream.next('review-opened', (event) => event.review.id !== review.id)

  expect([written.status, before, config.current.rules.map(({ decision }) => decision)]).toEqual(['changed', ['allow', 'ask'], ['ask', 'allow']])
  expect(answered).toMatchObject({ reviews: [], result: { content: [{ text: expect.stringContaining('12A') as unknown }] } })
  expect(JSON.stringify(answered.result)).not.toContain('fish')
  await browser.call('tools/cancel', { id: third })
})

test('what a server may use is written into the config, counted, and refused where it is no amount', async () => {
  const { enter, config } = await openConsole({ config: '{"sampling":{"servers":{"travel":{"redact":true}}}}' })
  const browser = await enter()
  const set = await browser.call('servers/limits', { name: 'travel', before: {}, limits: { tokensPerDay: 5000 } })
  const shown = await browser.call('servers/get', { name: 'travel' })
  const wrong = await browser.call('servers/limits', { name: 'travel', before: { tokensPerDay: 5000 }, limits: { tokensPerDay: -1 } })
  const strange = await browser.call('servers/limits', { name: 'travel', before: { tokensPerDay: 5000 }, limits: { __proto__: null, perMoon: 1 } as never })
  const off = await browser.call('servers/limits', { name: 'travel', before: { tokensPerDay: 5000 }, limits: {} })

  expect([set, wrong, strange, off].map(({ status }) => status)).toEqual(['changed', 'refused', 'refused', 'changed'])
  expect([shown.ownLimits, shown.budgets]).toMatchObject([{ tokensPerDay: 5000 }, [{ limit: 'tokensPerDay', scope: 'server', allowed: 5000, used: 0 }]])
  expect(config.current.sampling.servers.get('travel')).toEqual({ redact: true })
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

test('a server is switched on only as it was shown: what was written under its name meanwhile stays off', async () => {
  const { enter, config, edited } = await openConsole({ config: JSON.stringify({ mcpServers: { files: { command: 'node', disabled: true } } }) })
  const [browser, other] = [await enter(), await enter()]
  const { mark } = await browser.call('servers/get', { name: 'files' })
  await writeFile(edited.file, JSON.stringify({ mcpServers: { files: { command: 'rm', disabled: true } } }))

  const late = await browser.call('servers/disable', { name: 'files', before: mark!, disabled: false })
  const fresh = await vi.waitFor(
    async () => {
      const detail = await other.call('servers/get', { name: 'files' })
      expect(detail.entry).toMatchObject({ command: 'rm' })
      return detail
    },
    { timeout: 10_000 },
  )
  const [one, both] = [
    await other.call('servers/disable', { name: 'files', before: fresh.mark!, disabled: false }),
    await browser.call('servers/disable', { name: 'files', before: fresh.mark!, disabled: true }),
  ]

  expect([late, fresh.entry, one.status, both]).toMatchObject([{ status: 'stale' }, { command: 'rm', disabled: true }, 'changed', { status: 'stale' }])
  expect(config.current.mcpServers.get('files')).toMatchObject({ command: 'rm', disabled: false })
})
