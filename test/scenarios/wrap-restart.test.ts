import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { DeskProgram, isAlive } from '../fixtures/desk-program.ts'
import { filesystem, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000
const readsOnce = join(import.meta.dirname, '../fixtures/reads-once.mjs')
const isKept = ({ kind }: ReviewSummary): boolean => kind === 'kept-folders'

interface Setting {
  readonly place: Workplace
  readonly desk: DeskProgram
  readonly client: RawClient
  /** What a tool says, by its text. */
  readonly call: (name: string, args?: object) => Promise<string>
  /** Resolves when a tool says what fits. */
  readonly says: (name: string, fits: RegExp) => Promise<string>
  readonly roots: (...args: readonly string[]) => Promise<void>
}

/** A server with the folder `trip`, whose client cannot be asked anything, and a person at the desk. */
async function start(server: readonly string[], options: readonly string[] = []): Promise<Setting> {
  const place = new Workplace()
  for (const name of ['trip', 'work', 'own']) mkdirSync(join(place.folder, name))
  place.write('trip/note.txt', 'a note')
  place.write('work/note.txt', 'of work')
  place.config({ roots: { files: [{ path: join(place.folder, 'trip') }] } })
  const desk = await DeskProgram.start(place)
  return { ...(await connect(place, server, options)), desk }
}

async function connect(place: Workplace, server: readonly string[], options: readonly string[] = []): Promise<Omit<Setting, 'desk'>> {
  const client = RawClient.wrap(place, ['--name', 'files', ...options, '--', node, ...server.map((word) => word.replace('{}', place.folder))])
  await client.shakeHands()
  let id = 0
  const call = async (name: string, args: object = {}): Promise<string> => {
    const own = (id += 1)
    client.say({ id: own, method: 'tools/call', params: { name, arguments: args } })
    return JSON.stringify(await client.answerTo(own))
  }
  const says = async (name: string, fits: RegExp): Promise<string> => {
    for (;;) {
      const text = await call(name)
      if (fits.test(text)) return text
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const roots = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await place.run(['roots', ...args, '--server', 'files', ...(args[0] === 'add' ? ['--yes'] : [])])
    if (code !== 0) throw new Error(stderr)
  }
  return { place, client, call, says, roots }
}

const files = [filesystem, '{}/own']
const note = (place: Workplace, folder = 'trip'): object => ({ path: join(place.folder, folder, 'note.txt') })

describe('a server that keeps the last folder which was taken from it', () => {
  test(
    'is started afresh where the person says so: it cannot read there any more, and the client only hears that lists may have changed',
    async () => {
      const { place, desk, client, call, says, roots } = await start(files)
      await says('list_allowed_directories', /trip/)
      const before = await call('read_text_file', note(place))
      const heard = client.lines.length
      await roots('remove', join(place.folder, 'trip'))
      await desk.decide(await desk.review(isKept), { action: 'restart' })
      await says('list_allowed_directories', /own/)
      const after = await call('read_text_file', note(place))
      const news = client.lines.slice(heard).filter((line) => line.includes('"method"'))

      expect([before, after]).toEqual([expect.stringContaining('a note'), expect.stringContaining('Access denied')])
      expect(news.map((line) => (JSON.parse(line) as { method: string }).method)).toEqual(['notifications/tools/list_changed'])
    },
    LONG,
  )

  test(
    'is told an empty folder in its place before anybody answers, and goes on as the same process; stderr says so, and where the question is',
    async () => {
      const { place, desk, says, call, roots, client } = await start(files)
      await says('list_allowed_directories', /trip/)
      await roots('remove', join(place.folder, 'trip'))
      await says('list_allowed_directories', /state\/nothing/)
      const review = await desk.review(isKept)
      await client.until(() => client.stderr.includes('files knew'))

      expect(await call('read_text_file', note(place))).toContain('Access denied')
      expect(client.lines.some((line) => line.includes('list_changed'))).toBe(false)
      expect(client.stderr).toMatch(/files knew file:\/\/\S*trip, .*told an empty folder in their place; the desk asks .*consentry up.*--kept-folders restart/)
      // The question stays, and can still be answered otherwise.
      await desk.decide(review, { action: 'restart' })
      await says('list_allowed_directories', /own/)
    },
    LONG,
  )

  test(
    'keeps the empty folder where the person says so, and is not asked about again',
    async () => {
      const { place, desk, says, call, roots } = await start(files)
      await says('list_allowed_directories', /trip/)
      await roots('remove', join(place.folder, 'trip'))
      const review = await desk.review(isKept)
      await desk.decide(review, { action: 'stand-in' })
      await desk.endOf(review.id)
      await roots('add', join(place.folder, 'work'))
      await says('list_allowed_directories', /work/)
      await roots('remove', join(place.folder, 'work'))
      await says('list_allowed_directories', /state\/nothing/)

      expect(await call('read_text_file', note(place))).toContain('Access denied')
      expect(desk.events.seen.filter((event) => event.type === 'review-opened' && isKept(event.review))).toHaveLength(1)
      const { stdout } = await place.run(['audit', 'list', '--json'])
      expect(stdout).toContain('"outcome":"stand-in"')
    },
    LONG,
  )

  test(
    'is started afresh without a question where that was said with the command, at a desk too',
    async () => {
      const { place, desk, says, call, roots, client } = await start(files, ['--kept-folders', 'restart'])
      await says('list_allowed_directories', /trip/)
      await roots('remove', join(place.folder, 'trip'))
      await says('list_allowed_directories', /own/)

      expect(await call('read_text_file', note(place))).toContain('Access denied')
      expect(desk.events.seen.filter((event) => event.type === 'review-opened' && isKept(event.review))).toEqual([])
      await client.until(() => client.stderr.includes('It is started afresh, as you said'))
    },
    LONG,
  )

  test(
    'is started afresh without a question where the person had that remembered; it is listed, and can be taken back',
    async () => {
      const first = await start(files)
      const { place, desk } = first
      await first.says('list_allowed_directories', /trip/)
      await first.roots('remove', join(place.folder, 'trip'))
      const review = await desk.review(isKept)
      await desk.decide(review, { action: 'restart', remember: {} })
      await first.says('list_allowed_directories', /own/)
      await first.roots('add', join(place.folder, 'trip'))
      await first.says('list_allowed_directories', /trip/)
      await first.roots('remove', join(place.folder, 'trip'))
      await first.says('list_allowed_directories', /own/)
      const { stdout } = await place.run(['roots', 'grants'])

      expect(stdout).toContain('is started afresh where it goes on in folders')
      expect(desk.events.seen.filter((event) => event.type === 'review-opened' && isKept(event.review))).toHaveLength(1)
    },
    LONG,
  )
})

test(
  'a server that was given a folder late and never reads its list again gets it with a fresh start; a call that is made meanwhile waits for that',
  async () => {
    const { place, desk, client, call, says, roots } = await start([readsOnce])
    await says('folders', /trip/)
    client.say({ id: 'level', method: 'logging/setLevel', params: { level: 'debug' } })
    const before = await call('process')
    await roots('add', join(place.folder, 'work'))
    const review = await desk.review(isKept)
    client.say({ id: 'hanging', method: 'tools/call', params: { name: 'hang' } })
    const decided = desk.decide(review, { action: 'restart' })
    const { error } = (await client.answerTo('hanging')) as { readonly error?: object }
    await decided
    await says('folders', /work/)

    expect([error, (await call('process')) === before]).toEqual([expect.objectContaining({ data: { reason: 'restarted' } }), false])
  },
  LONG,
)

test.each(['wrap', 'server', 'desk', 'client'] as const)(
  'when the %s is killed in the middle of a fresh start nothing is left running, and nothing hangs',
  async (victim) => {
    const { desk, client, call, says, roots, place } = await start([readsOnce])
    await says('folders', /trip/)
    const pid = Number(/"text":"(\d+)"/.exec(await call('process'))![1])
    await roots('add', join(place.folder, 'work'))
    const review = await desk.review(isKept)
    // It keeps the old process for a moment.
    client.say({ id: 'hanging', method: 'tools/call', params: { name: 'hang' } })
    await desk.decide(review, { action: 'restart' })
    await client.until(() => client.stderr.includes('it is started afresh'))
    if (victim === 'wrap') client.child.kill('SIGKILL')
    if (victim === 'server') process.kill(pid, 'SIGKILL')
    if (victim === 'desk') desk.child.kill('SIGKILL')
    if (victim === 'client') client.child.stdin!.destroy()
    if (victim === 'server' || victim === 'desk') {
      const { error } = (await client.answerTo('hanging')) as { readonly error?: object }
      expect(error).toMatchObject({ data: { reason: 'restarted' } })
      expect(await call('process')).not.toContain(String(pid))
      client.child.stdin!.end()
    }
    await client.ended

    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
  },
  LONG,
)

describe.runIf(process.platform === 'linux')('a server that is held to its folders', () => {
  const held = ['--sandbox', 'roots']

  test(
    'reaches a folder that is added after a fresh start, and not before; and none that is taken away',
    async () => {
      const { place, desk, call, says, roots } = await start([filesystem, '/'], held)
      await says('list_allowed_directories', /trip/)
      await roots('add', join(place.folder, 'work'))
      const review = await desk.review(isKept)
      const before = await call('read_text_file', note(place, 'work'))
      await desk.decide(review, { action: 'restart' })
      await says('list_allowed_directories', /work/)
      const after = await call('read_text_file', note(place, 'work'))
      await roots('remove', join(place.folder, 'trip'))
      const second = await desk.review((one) => isKept(one) && one.id !== review.id)
      await desk.decide(second, { action: 'restart' })
      await says('list_allowed_directories', /work/)
      await expect.poll(() => call('read_text_file', note(place)), { timeout: 20_000 }).not.toContain('a note')

      expect([before.includes('of work'), after.includes('of work')]).toEqual([false, true])
      expect(await call('read_text_file', note(place, 'work'))).toContain('of work')
    },
    LONG,
  )

  test(
    'reaches what a person granted in an earlier run from its start',
    async () => {
      const place = new Workplace()
      mkdirSync(join(place.folder, 'work'))
      place.write('work/note.txt', 'of work')
      const desk = await DeskProgram.start(place)
      const first = await connect(place, [filesystem, '/'])
      const review = await desk.review(({ kind }) => kind === 'folders')
      await desk.decide(review, { action: 'grant', roots: [{ path: join(place.folder, 'work'), confirmed: true }], remember: {} })
      await first.says('list_allowed_directories', /work/)
      first.client.child.stdin!.end()
      await first.client.ended
      const second = await connect(place, [filesystem, '/'], held)
      await second.says('list_allowed_directories', /work/)

      expect(await second.call('read_text_file', note(place, 'work'))).toContain('of work')
    },
    LONG,
  )
})

describe.runIf(process.platform === 'linux')('a held server that works in a worktree, whose repository git keeps elsewhere', () => {
  test.each([
    ['reads that repository after its fresh start, and in the next run, where a person said so; it changes nothing there, and the log says so too', true],
    ['does not reach it where a person said yes to the worktree alone, though it was offered', false],
  ])(
    '%s',
    async (_, isGranted) => {
      const place = new Workplace()
      for (const folder of ['worktrees/tree', 'objects', 'refs']) mkdirSync(join(place.folder, 'main/.git', folder), { recursive: true })
      mkdirSync(join(place.folder, 'tree'))
      place.write('main/.git/HEAD', 'ref: refs/heads/main')
      place.write('main/.git/worktrees/tree/gitdir', join(place.folder, 'tree/.git'))
      place.write('tree/.git', `gitdir: ${join(place.folder, 'main/.git/worktrees/tree')}`)
      const [tree, repository] = [join(place.folder, 'tree'), join(place.folder, 'main/.git')]
      const desk = await DeskProgram.start(place)
      const first = await connect(place, [readsOnce], ['--sandbox', 'roots'])
      const review = await desk.review(({ kind }) => kind === 'folders')
      const browsed = await desk.person.call('roots/browse', { path: tree })
      const root = { path: tree, confirmed: true, ...(isGranted && { repository }) }
      await desk.decide(review, { action: 'grant', roots: [root], remember: {} })
      await desk.decide(await desk.review(isKept), { action: 'restart' })
      await expect.poll(() => first.call('write', { path: join(tree, 'made') }), { timeout: 60_000 }).toContain('written')
      const attempts = async ({ call }: Pick<Setting, 'call'>): Promise<readonly string[]> => [
        await call('read', { path: join(repository, 'HEAD') }),
        await call('write', { path: join(repository, 'config') }),
        await call('write', { path: join(tree, 'made') }),
      ]
      const now = await attempts(first)
      first.client.child.stdin!.end()
      await first.client.ended
      const second = await connect(place, [readsOnce], ['--sandbox', 'roots'])
      await second.says('folders', /tree/)
      const later = await attempts(second)
      const { stdout } = await place.run(['audit', 'list', '--json'])

      const expected = [
        isGranted ? expect.stringContaining('refs/heads/main') : expect.stringMatching(/ENOENT|EACCES/),
        expect.stringMatching(/ENOENT|EACCES|EROFS/),
        expect.stringContaining('written'),
      ]
      expect([now, later]).toEqual([expected, expected])
      expect([browsed.offeredRepository, stdout.includes('"repositories"')]).toEqual([repository, isGranted])
    },
    LONG,
  )
})

describe('a server that is given its folders among its arguments', () => {
  const server = [join(import.meta.dirname, '../fixtures/tells-arguments.mjs')]

  test(
    'behind wrap has those of now after a fresh start, which is offered at the desk when they change; in between it goes on',
    async () => {
      const { place, desk, says, call, roots } = await start(server, ['--roots-to', 'arguments'])
      await says('folders', /trip/)
      await roots('add', join(place.folder, 'work'))
      const review = await desk.review(isKept)
      const before = await call('folders')
      await desk.decide(review, { action: 'restart' })
      await says('folders', /trip.*work/)
      await roots('remove', join(place.folder, 'trip'))
      const second = await desk.review((one) => isKept(one) && one.id !== review.id)
      await desk.decide(second, { action: 'restart' })

      expect(before).not.toContain('work')
      expect(await says('folders', /"text":"[^ ]*work"/)).not.toContain('trip')
    },
    LONG,
  )

  test(
    'goes on as it was where it cannot be started afresh: the desk says so and why, knows what it has, and it can be ended',
    async () => {
      const { place, desk, says, roots, client } = await start(server, ['--roots-to', 'arguments'])
      await says('folders', /trip/)
      await roots('add', join(place.folder, 'work'))
      const review = await desk.review(isKept)
      place.write('state/config.jsonc', '{ "roots": ')
      await desk.decide(review, { action: 'restart' })
      const second = await desk.review((one) => isKept(one) && one.id !== review.id)
      const shown = await desk.person.call('review/get', { id: second.id })
      await says('folders', /trip/)
      await desk.decide(second, { action: 'end' })

      expect(shown.status === 'found' && shown.review.subject).toEqual({
        reason: 'at-start',
        known: [expect.stringMatching(/trip$/)],
        canRestart: true,
        done: 'nothing',
        fault: expect.stringContaining('config.jsonc'),
      })
      await client.ended
      expect(client.stderr).toMatch(/It could not be started afresh: .*config\.jsonc/)
      expect(client.stderr).toContain('it is ended, because somebody says so at the desk')
    },
    LONG,
  )

  test(
    'that the desk itself has started is offered a fresh start too',
    async () => {
      const place = new Workplace()
      for (const name of ['trip', 'work']) mkdirSync(join(place.folder, name))
      place.config({
        mcpServers: { files: { command: node, args: server, rootsTo: 'arguments' } },
        roots: { files: [{ path: join(place.folder, 'trip') }] },
      })
      const desk = await DeskProgram.start(place)
      const folders = async (): Promise<string> => {
        const { call } = await desk.person.call('tools/call', { server: 'files', tool: 'folders', arguments: {} })
        return JSON.stringify((await desk.events.next('call-changed', (event) => event.call.id === call.id && event.call.state !== 'running')).call)
      }
      await desk.person.call('servers/start', { name: 'files' })
      await place.run(['roots', 'add', join(place.folder, 'work'), '--server', 'files'])
      const review = await desk.review(isKept)
      await desk.decide(review, { action: 'restart' })

      await expect.poll(folders, { timeout: 30_000 }).toMatch(/trip.*work/)
    },
    LONG,
  )
})
