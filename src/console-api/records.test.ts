import { expect, test } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import { formQuestion } from '../testing/index.ts'

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

test('questions of a server that a wrap stands in front of are whole sequences too, with their client, and saved with them', async () => {
  const { desk, enter } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const server = { name: 'files', named: true, target: { kind: 'stdio', command: 'npx', args: ['files-server'] } } as const
  const session = desk.open({ server, connection: 'wrap-1', client: 'Cursor', saysHeld: true })
  const params = { message: 'Which `seat`?\nA->>B: hi;', requestedSchema: { type: 'object', properties: { seat: { type: 'string' } } } }
  const answer = session.answer(
    { kind: 'elicitation', revision: '2025-11-25', params, call: { kind: 'tool', name: 'book;\nnote' } },
    new AbortController().signal,
  )
  const { review } = await stream.next('review-opened')
  await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: '12A' } } })
  await answer
  const { events } = await browser.call('timeline/list', { filter: { server: 'files' } })
  const shown = await browser.call('servers/get', { name: 'files' })
  const diagram = await browser.call('timeline/export', { format: 'mermaid', filter: { server: 'files' } })
  const saved = JSON.parse((await browser.call('timeline/export', { format: 'json', filter: { server: 'files' } })).text) as readonly object[]
  session.close()

  expect(events.toReversed().map(({ from, kind, to, client }) => `${from} ${kind} ${to} for ${client}`)).toEqual([
    'server asked desk for Cursor',
    'desk shown you for Cursor',
    'you decided desk for Cursor',
    'desk answered server for Cursor',
  ])
  expect(shown).toMatchObject({ source: 'wrapped', clients: ['Cursor'], enforcement: 'said-held', stderr: [], traffic: false })
  expect(diagram.text.split('\n').filter((line) => line !== '')).toHaveLength(1 + 3 + 4)
  expect(saved).toMatchObject([{ kind: 'asked', message: expect.stringContaining('Which `seat`?') as unknown }, {}, {}, { kind: 'answered' }])
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

test('a server that a wrap stands in front of: its last lines are shown, and its whole traffic where it is switched on, with secrets and what was typed masked', async () => {
  const { desk, enter } = await openConsole()
  const browser = await enter()
  const server = { name: 'files', named: true, target: { kind: 'stdio', command: 'npx', args: ['files-server'] } } as const
  const session = desk.open({ server, connection: 'wrap-1', client: 'Cursor' })
  const wanted: boolean[] = []
  session.on('traffic-wanted', (isWanted) => wanted.push(isWanted))
  const say = (from: 'client' | 'server', line: string, more: object = {}): unknown => session.heard!({ kind: 'traffic', from, line, ...more })
  session.heard!({ kind: 'stderr', text: 'listening\nkey ghp_0123456789abcdefghijABCDEFGHIJ' })
  session.heard!({ kind: 'stderr', text: '012345\n' })
  say('client', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  await browser.call('timeline/traffic', { server: 'files', on: true })
  say('client', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"token":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}}')
  say('client', '{"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"pin":"4711"}}}')
  say('server', 'no JSON', { missed: 3 })
  say('server', '{"jsonrpc":', { bytes: 400_000 })
  const { stderr, traffic } = await browser.call('servers/get', { name: 'files' })
  const later = desk.open({ server, connection: 'wrap-2' })
  const isWantedLater = later.wantsTraffic
  await browser.call('timeline/traffic', { server: 'files', on: false })
  say('client', '{"jsonrpc":"2.0","id":2,"method":"ping"}')
  const { events } = await browser.call('timeline/list', { filter: { server: 'files' } })
  const texts = await Promise.all(events.toReversed().map(async ({ id }) => (await browser.call('timeline/message', { id })).json))

  expect([stderr[0], stderr[1], traffic, wanted, isWantedLater]).toEqual(['listening', expect.stringMatching(/^key \[redacted:/), true, [true, false], true])
  expect(events.toReversed().map(({ from, to, name, client }) => `${from} ${to} ${name} for ${client}`)).toEqual([
    'client server tools/call for Cursor',
    'client server result for Cursor',
    'server client … for Cursor',
    'server client result for Cursor',
    'server client … for Cursor',
  ])
  expect(texts.map((text) => /ghp_|4711/.test(text!))).toEqual([false, false, false, false, false])
  expect([texts[2], texts[4]].map((text) => JSON.parse(text!) as unknown)).toEqual([{ missed: 3 }, { bytes: 400_000, beginning: '{"jsonrpc":' }])
})

test('nothing that a person typed is seen in the traffic, however the answer is put', async () => {
  const { desk, enter } = await openConsole()
  const browser = await enter()
  const server = { name: 'files', named: true, target: { kind: 'stdio', command: 'npx', args: ['files-server'] } } as const
  const session = desk.open({ server, connection: 'wrap-1' })
  await browser.call('timeline/traffic', { server: 'files', on: true })
  const answer = (content: unknown): object => ({ jsonrpc: '2.0', id: 'q', result: { action: 'accept', content } })
  const lines = [
    JSON.stringify(answer({ notes: ['TYPED'], plain: 'TYPED', deep: { inner: 'TYPED' } })),
    JSON.stringify([answer({ pin: 'TYPED' })]),
    JSON.stringify(answer('TYPED')),
    JSON.stringify({ id: 1, method: 'tools/call', params: { inputResponses: { one: { action: 'accept', content: { pin: ['TYPED'] } } } } }),
    '{"id":"q","result":{"action":"accept","content":{"pin":"TYPED"}},}',
  ]
  for (const line of lines) session.heard!({ kind: 'traffic', from: 'client', line })
  session.heard!({ kind: 'traffic', from: 'client', line: lines[0]!.slice(0, -9), bytes: 400_000 })
  const { events } = await browser.call('timeline/list', { filter: { server: 'files' } })
  const texts = await Promise.all(events.toReversed().map(async ({ id }) => (await browser.call('timeline/message', { id })).json!))

  expect(texts.map((text) => text.includes('TYPED'))).toEqual(Array.from({ length: 6 }, () => false))
  expect([JSON.parse(texts[0]!), JSON.parse(texts[5]!)]).toMatchObject([
    { result: { action: 'accept', content: { notes: '(hidden)', plain: '(hidden)', deep: '(hidden)' } } },
    { bytes: 400_000 },
  ])
})

test('of the stderr of two processes with one name each line stays whole, and no key is seen however it comes, is cut, or goes on', async () => {
  const { desk, enter } = await openConsole()
  const browser = await enter()
  const server = { name: 'files', named: true, target: { kind: 'stdio', command: 'npx', args: ['files-server'] } } as const
  const [one, other] = [desk.open({ server, connection: 'wrap-1' }), desk.open({ server, connection: 'wrap-2' })]
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const read = async (): Promise<readonly string[]> => (await browser.call('servers/get', { name: 'files' })).stderr
  const say = (session: typeof one, text: string): unknown => session.heard!({ kind: 'stderr', text })
  say(one, `token ${token.slice(0, 20)}`)
  say(other, 'listening\n')
  say(one, `${token.slice(20)}\n${'y'.repeat(1985)} ${token}\n`)
  const first = await read()
  const body = Array.from({ length: 250 }, (_, row) => `KEYBODY${row}`).join('\n')
  say(other, `-----BEGIN RSA PRIVATE KEY-----\n${body}`)
  const inKey = await read()
  say(other, `\n${body}\n-----END RSA PRIVATE KEY-----\nready\n`)
  const afterKey = await read()
  other.close()
  say(other, 'too late\n')

  expect(first).toEqual(['listening', 'token [redacted:github-token]', `${'y'.repeat(1985)} [redacted:gith…`])
  expect([inKey.at(-1), afterKey.slice(-2), JSON.stringify([inKey, afterKey]).includes('KEYBODY')]).toEqual([
    '[redacted:private-key]',
    ['[redacted:private-key]', 'ready'],
    false,
  ])
  expect((await read()).includes('too late')).toBe(false)
})

test('a flood of watched traffic is left out and counted, and a question of another server is seen in the middle of it', async () => {
  const { desk, timeline, enter } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const server = (name: string) => ({ name, named: true, target: { kind: 'stdio', command: name, args: [] } }) as const
  const bad = [1, 2].map((number) => desk.open({ server: server('bad'), connection: `bad-${number}` }))
  const good = desk.open({ server: server('good'), connection: 'good-1' })
  await browser.call('timeline/traffic', { server: 'bad', on: true })
  const line = JSON.stringify({ method: 'x', params: '4 '.repeat(128_000) })
  const flood = (): void => bad.forEach((session) => Array.from({ length: 200 }, () => session.heard!({ kind: 'traffic', from: 'server', line })))
  flood()
  const params = { message: 'Which seat?', requestedSchema: { type: 'object', properties: { seat: { type: 'string' } } } }
  const answer = good.answer({ kind: 'elicitation', revision: '2025-11-25', params }, new AbortController().signal)
  flood()
  const { review } = await stream.next('review-opened')
  await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: '12A' } } })
  const { events } = timeline.list({ limit: Infinity, filter: { server: 'bad' } })
  const missed = events.flatMap(({ id, name }) => (name === '…' ? [(JSON.parse(timeline.messageOf(id)!) as { missed: number }).missed] : []))

  expect(await answer).toMatchObject({ outcome: 'answered', result: { action: 'accept', content: { seat: '12A' } } })
  expect(missed.reduce((sum, count) => sum + count, 0) + events.filter(({ name }) => name === 'x').length).toBe(800)
  expect(missed.length).toBeGreaterThan(0)
})

test('the whole traffic of a server is kept only where it is switched on, with secrets masked', async () => {
  const { host, enter } = await openConsole({ server: { tools: { look: () => 'seen' } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  const call = async (): Promise<void> => {
    const { call: made } = await browser.call('tools/call', {
      server: 'travel',
      tool: 'look',
      arguments: { token: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
    })
    await stream.next('call-changed', (event) => event.call.id === made.id && event.call.state === 'done')
  }
  const messages = async (): Promise<readonly string[]> =>
    (await browser.call('timeline/list', {})).events.toReversed().flatMap(({ kind, from, name }) => (kind === 'message' ? [`${from} ${name}`] : []))
  await call()
  const without = await messages()
  await browser.call('timeline/traffic', { server: 'travel', on: true })
  await call()
  const withTraffic = await messages()
  await browser.call('timeline/traffic', { server: 'travel', on: false })
  await call()
  const { events } = await browser.call('timeline/list', { filter: { search: 'tools/call' } })
  const { json } = await browser.call('timeline/message', { id: events.find(({ kind }) => kind === 'message')!.id })

  expect([without, withTraffic, await messages()]).toEqual([[], ['client tools/call', 'server result'], ['client tools/call', 'server result']])
  expect(json).toContain('redacted')
  expect(json).not.toContain('ghp_0123')
})
