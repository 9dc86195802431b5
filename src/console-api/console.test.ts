import { expect, test } from 'vitest'
import { formReview, openConsole } from '../../test/fixtures/open-console.ts'
import { formQuestion } from '../testing/index.ts'

const forever = new AbortController().signal

test('a question that a server asks is on the stream at once, and is answered from the browser', async () => {
  const { host, enter } = await openConsole({
    server: { tools: { book: [formQuestion('Which seat?', { seat: { type: 'string', minLength: 2 } }, ['seat'])] } },
  })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  const { call } = await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
  const { review } = await stream.next('review-opened')
  const found = await browser.call('review/get', { id: review.id })
  const checked = await browser.call('review/check', { id: review.id, content: { seat: 'x' } })
  const faulty = await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: 'x' } } })
  const decided = await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: '12A' } } })
  const late = await browser.call('review/decide', { id: review.id, decision: { action: 'decline' } })
  const closed = await stream.next('review-closed')
  const { call: ended } = await stream.next('call-changed', (event) => event.call.state === 'done')

  expect({ asker: review.asker.server, about: review.about, found, checked, faulty, decided, late }).toMatchObject({
    asker: 'travel',
    about: { fields: 1 },
    found: { status: 'found', review: { kind: 'form', subject: { message: 'Which seat?', form: { fields: [{ name: 'seat' }] } }, draft: {} } },
    checked: { status: 'faulty', faults: [{ field: 'seat', problem: 'too-short' }] },
    faulty: { status: 'faulty', faults: [{ field: 'seat' }] },
    decided: { status: 'decided' },
    late: { status: 'ended', outcome: 'decided', surface: 'console' },
  })
  expect(closed).toMatchObject({ id: review.id, ended: { outcome: 'decided', action: 'accept', by: 'person', surface: 'console' }, done: { id: review.id } })
  expect(ended).toMatchObject({ id: call.id, reviews: [review.id], result: { content: [{ type: 'text', text: expect.stringContaining('12A') as unknown }] } })
})

test('a question of a wrap in front of a server of the same name belongs to no call that was made here', async () => {
  const { host, desk, enter } = await openConsole({ server: { tools: { book: [formQuestion('Which seat?', { seat: { type: 'string' } })] } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
  const { review } = await stream.next('review-opened')
  const wrap = desk.open({ server: { name: 'travel', named: true, target: { kind: 'custom', description: '' } }, connection: 'of a wrap', client: 'Claude' })
  const params = { message: 'Whose?', requestedSchema: { type: 'object', properties: {} } }
  void wrap.answer({ kind: 'elicitation', params, revision: '2025-11-25', call: { kind: 'tool', name: 'book' } }, forever)
  const other = await stream.next('review-opened', (event) => event.review.id !== review.id)
  await browser.call('review/decide', { id: review.id, decision: { action: 'decline' } })
  const { call } = await stream.next('call-changed', (event) => event.call.state === 'done')

  expect([other.review.asker.client, call.reviews]).toEqual(['Claude', [review.id]])
})

test('two tabs decide at the same moment: the first wins, the second is told, and both see it go', async () => {
  const { inbox, enter } = await openConsole()
  const browser = await enter()
  const [one, two] = await Promise.all([browser.watch(), browser.watch()])
  await Promise.all([one.snapshot(), two.snapshot()])
  const settled = inbox.review(formReview(), forever)
  const { review } = await one.next('review-opened')
  const answers = await Promise.all(
    ['accept', 'decline'].map((action) => browser.call('review/decide', { id: review.id, decision: { action, content: { seat: '12A' } } as never })),
  )
  await Promise.all([one.next('review-closed'), two.next('review-closed')])

  expect(answers.map(({ status }) => status).toSorted()).toEqual(['decided', 'ended'])
  expect(await settled).toMatchObject({ outcome: 'decided', surface: 'console' })
})

test('a snapshot has what waits, oldest first, with its age, its deadline and who asks', async () => {
  const { inbox, enter } = await openConsole()
  void inbox.review(formReview(), forever)
  void inbox.review(formReview(), forever)
  const stream = await (await enter()).watch()
  const { reviews, now, desk, servers, window } = await stream.snapshot()

  expect({ ids: reviews.map(({ id }) => id), desk, window, servers: servers.map(({ name, state, waiting }) => [name, state, waiting]) }).toEqual({
    ids: ['review-1', 'review-2'],
    desk: { alwaysAsk: false, demo: false },
    window: 'window-1',
    servers: [['travel', 'idle', 2]],
  })
  expect(reviews[0]!.openedAt).toBeLessThanOrEqual(now)
  expect(reviews[0]!.deadline - reviews[0]!.openedAt).toBe(1_800_000)
  expect(reviews[0]!.asker.target).toBe('node travel-server.js')
})

test('a review that is withdrawn says why, and stays until it is put away', async () => {
  const { inbox, enter } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const asker = new AbortController()
  void inbox.review(formReview(), asker.signal)
  const { review } = await stream.next('review-opened')
  asker.abort(new Error('the server has gone'))
  const closed = await stream.next('review-closed')
  const later = await (await browser.watch()).snapshot()
  const gone = await browser.call('review/get', { id: review.id })
  await browser.call('review/dismiss', { id: review.id })
  await stream.next('review-dismissed')
  const last = await (await browser.watch()).snapshot()

  expect({ ended: closed.ended, later: later.reviews.map(({ ended }) => ended?.reason), gone, last: last.reviews }).toMatchObject({
    ended: { outcome: 'withdrawn', reason: 'the server has gone' },
    later: ['the server has gone'],
    gone: { status: 'ended', outcome: 'withdrawn' },
    last: [],
  })
})

test('a draft is there after a reload and in other windows, but never a field that is marked as secret', async () => {
  const { inbox, enter } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  const secret = { kind: 'text', name: 'pin', label: 'PIN', required: false, secret: { sign: 'name' } } as const
  const subject = formReview().subject
  void inbox.review(formReview({ subject: { ...subject, form: { ...subject.form, fields: [...subject.form.fields, secret] } } }), forever)
  const { review } = await stream.next('review-opened')
  await browser.call('review/draft', { id: review.id, window: 'window-7', draft: { seat: '1', pin: '1234', stranger: true } })
  const changed = await stream.next('draft-changed')
  const found = await browser.call('review/get', { id: review.id })

  expect(changed).toMatchObject({ id: review.id, window: 'window-7', draft: { seat: '1' } })
  expect(found).toMatchObject({ review: { draft: { seat: '1' } } })
  expect(JSON.stringify([changed, found, inbox.get(review.id)!.draft.value])).not.toContain('1234')
})

test('a lost connection goes on where it was: what was missed comes, once and in order', async () => {
  const { inbox, enter } = await openConsole()
  const browser = await enter()
  const first = await browser.watch()
  void inbox.review(formReview(), forever)
  await first.next('review-opened')
  first.close()
  await first.over()
  for (let count = 0; count < 3; count += 1) void inbox.review(formReview(), forever)
  const again = await browser.watch(first.lastId)
  await again.next('review-opened', ({ review }) => review.id === 'review-4')

  expect(
    again.seen
      .map((event) => (event.type === 'review-opened' ? event.review.id : event.type))
      .filter((one) => !['server-changed', 'timeline-grew'].includes(one)),
  ).toEqual(['resumed', 'review-2', 'review-3', 'review-4'])
})

test.each([
  ['an id of another run', '000000000000:1'],
  ['an id of the future', undefined],
  ['an id that is none', 'x'.repeat(100)],
])('%s gets everything anew', async (_, id) => {
  const { enter } = await openConsole()
  const browser = await enter()
  const before = await browser.watch()
  await before.snapshot()
  const after = id ?? `${before.lastId!.split(':')[0]}:999`

  expect(await (await browser.watch(after)).snapshot()).toMatchObject({ reviews: [] })
})

test('a desk that is started anew knows nobody: old pages are told that their session has ended', async () => {
  const before = await openConsole()
  const browser = await before.enter()
  const stream = await browser.watch()
  await stream.snapshot()
  await before.console.close()
  await stream.over()
  const after = await openConsole({ port: before.console.port })

  expect(stream.seen.at(-1)).toEqual({ type: 'session-ended', reason: 'desk-closed' })
  await expect(browser.call('desk/get', {})).rejects.toMatchObject({ status: 401, code: 'SESSION_ENDED' })
  expect(after.console.port).toBe(before.console.port)
})

test('a port that is taken is said so, with what to do', async () => {
  const { console } = await openConsole()

  await expect(openConsole({ port: console.port })).rejects.toMatchObject({ code: 'PORT_IN_USE', message: expect.stringContaining('--port') as string })
})
