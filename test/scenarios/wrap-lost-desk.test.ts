import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
