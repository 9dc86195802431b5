import { mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DeskProgram, environmentOf, isAlive, type UpOutput } from '../fixtures/desk-program.ts'
import { modern } from '../fixtures/gateway-talk.ts'
import { askingServer, everything, node, peer, Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, RawClient, wordsOf } from '../fixtures/wrapped.ts'

const legacyServer = ['--', node, askingServer, 'legacy']
const who = (id: number): object => ({ id, method: 'tools/call', params: { name: 'who', arguments: {} } })

/** Resolves when it holds; looked at every few milliseconds, because another process makes it so. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A client that can be asked nothing, and whose call waits for the person at the desk. */
async function asked(
  place: Workplace,
  desk: DeskProgram,
): Promise<{ readonly client: RawClient; readonly review: Awaited<ReturnType<DeskProgram['review']>> }> {
  const client = RawClient.wrap(place, legacyServer)
  await client.shakeHands()
  client.say(who(1))
  return { client, review: await desk.review() }
}

test('a person at the desk answers what a client cannot be asked, and sees who asks for whom', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const client = await connectThroughWrap('SDK v2', place, ['--name', 'everything', '--', node, everything, 'stdio'])
  const answer = client.callTool({ name: 'trigger-elicitation-request', arguments: {} })
  const review = await desk.review(({ kind }) => kind === 'form')
  await desk.decide(review, { action: 'accept', content: { name: 'Ada' } })

  expect(wordsOf(await answer)).toContain('- Name: Ada')
  expect(review.asker).toMatchObject({ server: 'everything', named: true, client: 'a-client' })
})

test.each(['legacy', 'modern'] as const)(
  'a page of a wrapped call (%s) keeps its card at the desk after consent; whoever gives up ends the call',
  async (era) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--', node, askingServer, era])
    if (era === 'legacy') await client.shakeHands()
    const params = { name: 'page', arguments: {} }
    client.say({ id: 1, method: 'tools/call', params: era === 'legacy' ? params : modern({}, params) })
    await desk.decide(await desk.review(({ kind }) => kind === 'url'), { action: 'accept' })
    const card = await desk.review(({ kind }) => kind === 'url-wait')
    await desk.decide(card, { action: 'cancel' })

    expect(card.asker.call).toEqual({ kind: 'tool', name: 'page' })
    expect((await client.answerTo(1)).error).toMatchObject({ code: -32603, message: 'The call was given up while its page was visited' })
  },
)

test('one desk per user: of several that race for it one runs, the others find it, and none gets its token', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const others = await Promise.all(Array.from({ length: 4 }, () => place.run(['up', '--no-open', '--json'])))
  const outputs = others.map(({ stdout }) => JSON.parse(stdout) as UpOutput)

  expect(outputs).toEqual(Array.from({ length: 4 }, () => ({ url: `http://127.0.0.1:${desk.output.port}/`, port: desk.output.port, pid: desk.output.pid })))
  expect(others.map(({ code, stderr }) => [code, stderr.includes('a desk runs already')])).toEqual(Array.from({ length: 4 }, () => [0, true]))
  expect(place.state().filter((entry) => !entry.startsWith('600') && !entry.startsWith('700'))).toEqual([])
})

test('wraps that start at once start one desk, of no client’s environment, which holds nothing of theirs', async () => {
  const place = new Workplace()
  const clients = Array.from({ length: 3 }, () => RawClient.wrap(place, ['--', node, peer, '{}'], { API_KEY: 'of-the-first-client' }))
  await Promise.all(clients.map((client) => client.shakeHands()))
  const { pid } = JSON.parse(place.read('state/desk.json')) as { readonly pid: number }
  for (const { child } of clients) child.stdin!.end()
  await Promise.all(clients.map(({ ended }) => ended))

  expect(environmentOf(pid)).not.toContain('of-the-first-client')
  expect([0, 1].map((handle) => readlinkSync(`/proc/${pid}/fd/${handle}`))).toEqual(['/dev/null', '/dev/null'])
  expect(isAlive(pid)).toBe(true)
})

test('a desk that nobody needs any more leaves, and takes its address with it', async () => {
  const place = new Workplace()
  const { code } = await place.run(['up', '--background', '--quiet-ms', '50'])

  expect([code, place.state()]).toEqual([0, ['700', '600 desk.lock']])
})

test('a desk that is ended by a signal ends what waits, once, and says so to every side', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const { client } = await asked(place, desk)
  desk.child.kill('SIGTERM')

  expect(JSON.stringify((await client.answerTo(1)).result)).toContain('cancel')
  expect(await desk.ended).toBe(143)
  expect(place.has('state/desk.json')).toBe(false)
})

test('a desk that is killed loses no question: the next desk asks it again', async () => {
  const place = new Workplace()
  const first = await DeskProgram.start(place)
  const { client } = await asked(place, first)
  // The wrap notices that the desk is gone when it goes on: so the next one is there in time, however slow the machine.
  client.child.kill('SIGSTOP')
  first.child.kill('SIGKILL')
  await first.ended
  const second = await DeskProgram.start(place)
  client.child.kill('SIGCONT')
  await second.decide(await second.review(), { action: 'accept', content: { name: 'Ada' } })

  expect(JSON.stringify((await client.answerTo(1)).result)).toContain('Ada')
})

test.each(['wrap', 'server', 'client'] as const)('what waits is withdrawn when its %s is killed', async (victim) => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const pidFile = join(place.folder, 'server.pid')
  const server = [
    '-e',
    `require('fs').writeFileSync(process.argv[1], String(process.pid)); process.argv[2] = 'legacy'; import(process.argv[3])`,
    pidFile,
    'legacy',
    askingServer,
  ]
  const client = RawClient.wrap(place, ['--', node, ...server])
  await client.shakeHands()
  client.say(who(1))
  const review = await desk.review()
  if (victim === 'wrap') client.child.kill('SIGKILL')
  if (victim === 'server') process.kill(Number(place.read('server.pid')), 'SIGKILL')
  if (victim === 'client') client.child.stdin!.destroy()

  expect(await desk.endOf(review.id)).toMatchObject({ outcome: 'withdrawn' })
  await client.ended
  await until(() => !isAlive(Number(place.read('server.pid'))))
})

test('a client that gives its call up is told apart from a person who declines', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const { client, review } = await asked(place, desk)
  client.say({ method: 'notifications/cancelled', params: { requestId: 1 } })
  const end = await desk.endOf(review.id)
  client.say(who(2))
  const second = await desk.review(({ id }) => id !== review.id)
  await desk.decide(second, { action: 'decline' })
  await client.answerTo(2)
  const { stdout } = await place.run(['audit', 'list', '--json'])

  expect(end).toMatchObject({ outcome: 'withdrawn', reason: 'The client cancelled the call that this belonged to' })
  expect(stdout).toContain('The client cancelled the call')
  expect(stdout).toContain('"outcome":"decline"')
})

test('where there can be no desk the server works, only folders are promised, and stderr says why', async () => {
  const place = new Workplace()
  mkdirSync(join(place.folder, 'trip'))
  place.write('state/desk.lock/in-the-way', '')
  const client = RawClient.wrap(place, ['--root', 'trip', ...legacyServer])
  await client.shakeHands()
  client.say({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'on' } } })

  expect(JSON.stringify((await client.answerTo(1)).result)).toContain('on')
  expect(client.stderr).toMatch(/a desk could not be started: .*Nobody can be asked here/)
})

test('a state folder that cannot be written is named, and nothing runs', async () => {
  const place = new Workplace()
  mkdirSync(place.home, { mode: 0o555 })
  const { code, stdout, stderr } = await place.run(['up', '--no-open', '--json'], { isBound: true })

  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('desk.lock')])
})

test('a damaged database is said in the window before anything was asked, and is over once it was moved away', async () => {
  const place = new Workplace()
  const database = join(place.home, 'consentry.db')
  mkdirSync(place.home, { recursive: true, mode: 0o700 })
  writeFileSync(database, 'this is no database'.repeat(1000), { mode: 0o600 })

  const desk = await DeskProgram.start(place)
  const { desk: told } = await desk.events.next('desk-changed', (event) => event.desk.auditFault !== undefined)
  rmSync(database)
  await desk.events.next('desk-changed', (event) => event.desk.auditFault === undefined)

  expect(told.auditFault).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('it is damaged: move it away') as unknown })
})

test('what lies where the last desk’s socket was, and is none, stays; a path that is too long for a socket is no obstacle', async () => {
  const place = new Workplace()
  place.write('state/desk-00000000.sock', 'mine')
  place.write('state/desk.json', { socket: join(place.home, 'desk-00000000.sock'), key: 'k', pid: 1 })
  const desk = await DeskProgram.start(place)
  const far = new Workplace()
  Object.assign(far, { home: join(far.folder, 'a-folder-with-a-long-name/'.repeat(6), 'state') })
  const other = await DeskProgram.start(far)
  onTestFinished(() => void other.child.kill())
  const { client, review } = await asked(far, other)
  await other.decide(review, { action: 'accept', content: { name: 'Ada' } })

  expect(JSON.stringify((await client.answerTo(1)).result)).toContain('Ada')
  expect([place.read('state/desk-00000000.sock'), desk.output.port === other.output.port]).toEqual(['mine', false])
})

test('with an answers file no desk is started or contacted, nor with --no-desk', async () => {
  const place = new Workplace()
  for (const options of [['--answers', place.answers()], ['--no-desk']]) {
    const client = RawClient.wrap(place, [...options, '--', node, peer, '{}'])
    await client.shakeHands()
    client.child.stdin!.end()
    await client.ended
  }

  expect(place.state()).toEqual([])
})
