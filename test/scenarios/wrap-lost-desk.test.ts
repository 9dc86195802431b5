import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { filesystem, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 180_000

test.each(['comes back', 'does not come back'] as const)(
  'a last folder that is taken back while the desk is dead is taken from the server where the desk %s, and stderr says so',
  async (which) => {
    const place = new Workplace()
    for (const name of ['trip', 'own']) mkdirSync(join(place.folder, name))
    place.write('trip/note.txt', 'a note')
    place.config({ roots: { files: [{ path: join(place.folder, 'trip') }] } })
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--name', 'files', '--', node, filesystem, join(place.folder, 'own')])
    await client.shakeHands()
    let id = 0
    const call = async (name: string, args: object = {}): Promise<string> => {
      const own = (id += 1)
      client.say({ id: own, method: 'tools/call', params: { name, arguments: args } })
      return JSON.stringify(await client.answerTo(own))
    }
    const read = (): Promise<string> => call('read_text_file', { path: join(place.folder, 'trip', 'note.txt') })
    await expect.poll(() => call('list_allowed_directories'), { timeout: 60_000 }).toContain('trip')
    const before = await read()
    desk.child.kill('SIGKILL')
    await desk.ended
    const { code } = await place.run(['roots', 'remove', join(place.folder, 'trip'), '--server', 'files'])
    if (which === 'comes back') await DeskProgram.start(place)
    await expect.poll(() => call('list_allowed_directories'), { timeout: 90_000 }).toContain('state/nothing')
    await client.until(() => client.stderr.includes('files knew'))

    expect([code, before, await read()]).toEqual([0, expect.stringContaining('a note'), expect.stringContaining('Access denied')])
    expect(client.stderr).toMatch(/files knew file:\/\/\S*trip, .* It is told an empty folder in their place/)
    client.child.stdin!.end()
    await client.ended
  },
  LONG,
)

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a server that keeps its last folder, of which nobody has said anything when the desk ends (%s), is asked about at the next one',
  async (signal) => {
    const isKept = ({ kind }: ReviewSummary): boolean => kind === 'kept-folders'
    const place = new Workplace()
    for (const name of ['trip', 'own']) mkdirSync(join(place.folder, name))
    place.config({ roots: { files: [{ path: join(place.folder, 'trip') }] } })
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--name', 'files', '--', node, filesystem, join(place.folder, 'own')])
    await client.shakeHands()
    let id = 0
    const folders = async (): Promise<string> => {
      const own = (id += 1)
      client.say({ id: own, method: 'tools/call', params: { name: 'list_allowed_directories', arguments: {} } })
      return JSON.stringify(await client.answerTo(own))
    }
    await expect.poll(folders, { timeout: 60_000 }).toContain('trip')
    await place.run(['roots', 'remove', join(place.folder, 'trip'), '--server', 'files'])
    await expect.poll(folders, { timeout: 60_000 }).toContain('state/nothing')
    await desk.review(isKept)
    desk.child.kill(signal)
    await desk.ended
    const next = await DeskProgram.start(place)
    const review = await next.review(isKept)
    const shown = await next.person.call('review/get', { id: review.id })
    await next.decide(review, { action: 'restart' })
    await expect.poll(folders, { timeout: 60_000 }).toContain('own')

    expect(shown.status === 'found' && shown.review.subject).toEqual({
      reason: 'none-told',
      known: [expect.stringMatching(/trip$/)],
      canRestart: true,
      done: 'stand-in',
    })
    client.child.stdin!.end()
    await client.ended
  },
  LONG,
)
