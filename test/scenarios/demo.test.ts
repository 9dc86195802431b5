import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DeskProgram, type UpOutput } from '../fixtures/desk-program.ts'
import { Workplace } from '../fixtures/program.ts'

test('the demo is a desk with the travel server, in a state of its own: nothing of the user is touched', async () => {
  const place = new Workplace()
  const config = place.config('{ "alwaysAsk": true } // mine')

  const { events } = await startDemo(place)
  const { desk, servers } = await events.snapshot()

  expect([desk.demo, desk.alwaysAsk, servers.map(({ name }) => name)]).toEqual([true, false, ['travel']])
  const names = place.state().map((file) => file.replace(/^\d+ ?/, ''))
  expect([readFileSync(config, 'utf8'), names.filter((name) => !/^demo(\/|$)/.test(name))]).toEqual(['{ "alwaysAsk": true } // mine', ['', 'config.jsonc']])
})

test('everything that the demo writes is for the user alone', async () => {
  const place = new Workplace()

  await DeskProgram.start(place, ['demo'])

  const modes = place.state().map((file) => file.split(' ')[0])
  expect(new Set(modes)).toEqual(new Set(['700', '600']))
})

test('a tour remembers nothing of the one before, but for its log, and is there again though it was closed', async () => {
  const place = new Workplace()
  const seen: boolean[] = []
  const preferences = `${place.home}/demo/state/preferences.json`
  const isClosed = (): boolean => existsSync(preferences) && readFileSync(preferences, 'utf8').includes('"tourSeen": true')
  const ask = async (): Promise<number> => {
    const desk = await startDemo(place)
    await desk.person.call('tools/call', { server: 'travel', tool: 'list_trips', arguments: {} })
    const review = await desk.review(({ kind }) => kind === 'folders')
    await desk.decide(review, { action: 'grant', roots: [{ path: `${place.home}/demo/workspace/travel-planning` }], remember: {} })
    await desk.events.next('call-changed', ({ call }) => call.state === 'done')
    const { entries } = await desk.person.call('audit/list', {})
    seen.push(isClosed())
    await desk.person.call('preferences/set', { tourSeen: true })
    seen.push(isClosed())
    desk.child.kill('SIGTERM')
    await desk.ended
    return entries.length
  }

  const first = await ask()
  const second = await ask()

  expect([second, seen]).toEqual([2 * first, [false, true, false, true]])
})

test('a second demo finds the first', async () => {
  const place = new Workplace()
  const { output } = await DeskProgram.start(place, ['demo'])

  const second = await place.run(['demo', '--json', '--no-open'])

  expect([second.code, JSON.parse(second.stdout) as UpOutput]).toEqual([0, { ...output, url: `http://127.0.0.1:${output.port}/` }])
})

test('where no browser can be opened, the address is said, and what else can be done', async () => {
  const place = new Workplace()
  let said = ''

  await place.run(['demo'], {
    onStderr: (text) => {
      said += text
      if (said.includes('--terminal')) endDemo(place)
    },
  })

  expect(said).toMatch(/the tour runs in the browser: http:\/\/127\.0\.0\.1:\d+\/#token=/)
  expect(said).toMatch(/there is no display.*\n.*consentry demo --terminal/)
})

test('where no browser can be opened, whoever runs it again finds a fresh address in the terminal of the first', async () => {
  const place = new Workplace()
  let said = ''
  let again: Promise<Awaited<ReturnType<Workplace['run']>>> | undefined

  await place.run(['demo'], {
    onStderr: (text) => {
      said += text
      if (said.includes('--terminal')) again ??= place.run(['demo'])
      if (said.includes('a fresh address')) endDemo(place)
    },
  })

  const [first, fresh] = [...said.matchAll(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/g)].map(([address]) => address)
  expect(fresh).not.toBe(first)
  expect(await again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('a fresh address stands in the terminal in which') as string })
})

test('the tour in the terminal needs a terminal, and says where else it is', async () => {
  const place = new Workplace()

  const run = await place.run(['demo', '--terminal'])

  expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining('"consentry demo" has it in the browser') as string })
})

/** A demo whose server is ready. */
async function startDemo(place: Workplace): Promise<DeskProgram> {
  const desk = await DeskProgram.start(place, ['demo'])
  const { servers } = await desk.events.snapshot()
  if (!servers.some(({ state }) => state === 'ready')) await desk.events.next('server-changed', ({ server }) => server.state === 'ready')
  return desk
}

function endDemo(place: Workplace): void {
  process.kill((JSON.parse(place.read('state/demo/state/desk.json')) as { readonly pid: number }).pid, 'SIGTERM')
}
