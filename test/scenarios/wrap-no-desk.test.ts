import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { filesystem, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000

/** A server that was told the folder `trip`, behind a wrap without a desk. */
async function start(
  ...options: readonly string[]
): Promise<{ readonly place: Workplace; readonly client: RawClient; readonly call: (name: string, args?: object) => Promise<string> }> {
  const place = new Workplace()
  for (const name of ['trip', 'own']) mkdirSync(join(place.folder, name))
  place.write('trip/note.txt', 'a note')
  place.config({ roots: { files: [{ path: join(place.folder, 'trip') }] } })
  const client = RawClient.wrap(place, ['--name', 'files', '--no-desk', ...options, '--', node, filesystem, join(place.folder, 'own')])
  await client.shakeHands()
  let id = 0
  const call = async (name: string, args: object = {}): Promise<string> => {
    const own = (id += 1)
    client.say({ id: own, method: 'tools/call', params: { name, arguments: args } })
    return JSON.stringify(await client.answerTo(own))
  }
  await expect.poll(() => call('list_allowed_directories'), { timeout: 30_000 }).toContain('trip')
  return { place, client, call }
}

const remove = (place: Workplace): Promise<unknown> => place.run(['roots', 'remove', join(place.folder, 'trip'), '--server', 'files'])
const readNote = (place: Workplace): object => ({ path: join(place.folder, 'trip', 'note.txt') })

describe('without a desk, a server that keeps the last folder which was taken from it', () => {
  test(
    'is told an empty one in its place, and stderr says so, and what else could be done',
    async () => {
      const { place, client, call } = await start()
      await remove(place)
      await expect.poll(() => call('list_allowed_directories'), { timeout: 30_000 }).toContain('state/nothing')

      expect(await call('read_text_file', readNote(place))).toContain('Access denied')
      expect(client.stderr).toMatch(
        /files knew file:\/\/\S*trip, and is told no folder any more; .* It is told an empty folder in their place; --kept-folders restart has it started afresh/,
      )
    },
    LONG,
  )

  test(
    'is started afresh where that was said, and stderr says so',
    async () => {
      const { place, client, call } = await start('--kept-folders', 'restart')
      await remove(place)
      await expect.poll(() => call('read_text_file', readNote(place)), { timeout: 30_000 }).toContain('Access denied')

      expect(client.stderr).toMatch(/files knew file:\/\/\S*trip, .* It is started afresh, as you said/)
    },
    LONG,
  )

  test(
    'is named where the folder was deleted',
    async () => {
      const { place, client } = await start()
      rmSync(join(place.folder, 'trip'), { recursive: true })
      await client.until(() => client.stderr.includes('files is told no folder now'))

      expect(client.stderr).toMatch(/because none of those that it knows \(file:\/\/\S*trip\) is there; .*consentry roots remove/)
    },
    LONG,
  )
})

test.each([
  ['--kept-folders', 'forget'],
  ['--no-desk', '--kept-folders', 'restart', '--url', 'http://127.0.0.1:1/'],
])('wrap refuses %s %s %s %s %s: it knows no such way, or cannot go it', async (...options) => {
  const place = new Workplace()
  const command = options.includes('--url') ? [] : ['--', node, filesystem, place.folder]
  const { code, stderr } = await place.run(['wrap', ...options.filter((word) => word !== undefined), ...command])

  expect([code, stderr]).toEqual([2, expect.stringMatching(/kept-folders|afresh/)])
})

test(
  'a folder that is taken back after a server was started with it, and before anything was asked at the desk, is not forgotten: a fresh start is offered',
  async () => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'trip'))
    place.config({ roots: { files: [{ path: join(place.folder, 'trip') }] } })
    const desk = await DeskProgram.start(place)
    const server = join(import.meta.dirname, '../fixtures/tells-arguments.mjs')
    const client = RawClient.wrap(place, ['--name', 'files', '--roots-to', 'arguments', '--', node, server])
    client.say({ id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } } })
    await client.answerTo('init')
    await remove(place)
    client.say({ method: 'notifications/initialized' })
    const review = await desk.review(({ kind }) => kind === 'kept-folders')
    await desk.decide(review, { action: 'restart' })
    let id = 0
    const folders = async (): Promise<string> => {
      const own = (id += 1)
      client.say({ id: own, method: 'tools/call', params: { name: 'folders', arguments: {} } })
      return JSON.stringify(await client.answerTo(own))
    }

    await expect.poll(folders, { timeout: 30_000 }).not.toContain('trip')
  },
  LONG,
)
