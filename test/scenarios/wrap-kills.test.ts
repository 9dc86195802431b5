import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DeskProgram, isAlive } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000
const PENDING = 1
const accept = { action: 'accept', content: { name: 'Ada' } } as const
const info = { name: 'a-client', version: '1' }

interface Scene {
  readonly place: Workplace
  readonly desk: DeskProgram
  readonly client: RawClient
}

const call = (id: number, name: string, input: object = {}): object => ({ id, method: 'tools/call', params: { name, arguments: input } })

interface Step {
  /** Everything up to the moment of the kill. */
  readonly reach: (scene: Scene) => Promise<unknown>
  /** Whether a call is under way then. */
  readonly isPending: boolean
}

async function askSomething({ client, desk }: Scene, tool: object): Promise<Awaited<ReturnType<DeskProgram['review']>>> {
  await client.shakeHands()
  client.say(tool)
  return desk.review()
}

const steps: Readonly<Record<string, Step>> = {
  'before anything was said': { isPending: false, reach: () => Promise.resolve() },
  'in the middle of the handshake': {
    isPending: false,
    reach: ({ client }) => {
      client.say({ id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info } })
      return client.answerTo('init')
    },
  },
  'between two calls': {
    isPending: false,
    reach: async ({ client }) => {
      await client.shakeHands()
      client.say(call(2, 'echo'))
      await client.answerTo(2)
    },
  },
  'while a question waits': { isPending: true, reach: (scene) => askSomething(scene, call(PENDING, 'who')) },
  'while it is answered': {
    isPending: true,
    reach: async (scene) => {
      const review = await askSomething(scene, call(PENDING, 'who'))
      scene.desk.decide(review, accept).catch(() => undefined)
    },
  },
  'between two questions of a call': {
    isPending: true,
    reach: async (scene) => {
      const review = await askSomething(scene, call(PENDING, 'twice', { file: join(scene.place.folder, 'go-on') }))
      await scene.desk.decide(review, accept)
    },
  },
}

/** A server whose process is known. */
function server(place: Workplace): readonly string[] {
  const script = `require('fs').writeFileSync(process.argv[1] + '.new', String(process.pid)); require('fs').renameSync(process.argv[1] + '.new', process.argv[1]); import(process.argv[3])`
  return [node, '-e', script, join(place.folder, 'server.pid'), 'legacy', askingServer]
}

async function open(): Promise<Scene & { readonly pid: number }> {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const client = RawClient.wrap(place, ['--', ...server(place)])
  await expect.poll(() => place.has('server.pid'), { timeout: 60_000 }).toBe(true)
  return { place, desk, client, pid: Number(place.read('server.pid')) }
}

/** Reviews that the desk's console was shown, and that have not ended. */
function stillOpen({ events }: DeskProgram): readonly string[] {
  const closed = new Set(events.seen.map((event) => event.type === 'review-closed' && event.id))
  return events.seen.flatMap((event) => (event.type === 'review-opened' && !closed.has(event.review.id) ? [event.review.id] : []))
}

async function isGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
}

describe.each(Object.entries(steps))('killed %s', (_, { reach, isPending }) => {
  test.each(['server', 'client', 'wrap'] as const)(
    'a %s leaves nothing running, and nothing waiting',
    async (victim) => {
      const { place, desk, client, pid } = await open()
      await reach({ place, desk, client })
      if (victim === 'server') process.kill(pid, 'SIGKILL')
      if (victim === 'wrap') client.child.kill('SIGKILL')
      if (victim === 'client') for (const stream of [client.child.stdin, client.child.stdout, client.child.stderr]) stream!.destroy()
      await client.ended
      await isGone(pid)

      await expect.poll(() => stillOpen(desk), { timeout: 30_000 }).toEqual([])
    },
    LONG,
  )

  test(
    'a desk takes no traffic with it: every call ends once, and nothing is left running afterwards',
    async () => {
      const { place, desk, client, pid } = await open()
      await reach({ place, desk, client })
      desk.child.kill('SIGKILL')
      await desk.ended
      writeFileSync(join(place.folder, 'go-on'), '')
      if (!client.lines.some((line) => line.includes('"init"'))) await client.shakeHands()
      client.say(call(3, 'echo'))
      await client.answerTo(3)
      if (isPending) await client.answerTo(PENDING)
      client.child.stdin!.end()
      await client.ended
      await isGone(pid)

      const ids = client.lines
        .map((line) => JSON.parse(line) as { readonly id?: unknown; readonly method?: string })
        .flatMap(({ id, method }) => (method ? [] : [id]))
      expect(ids).toEqual([...new Set(ids)])
    },
    LONG,
  )
})
