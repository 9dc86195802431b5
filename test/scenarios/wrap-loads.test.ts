import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, program, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const moduleLog = join(import.meta.dirname, '../fixtures/module-log.mjs')
const own = `${pathToFileURL(dirname(program)).href}/`

test.each(['a script', 'nobody', 'a person at the desk'])(
  'until the first question, with %s to answer it, a wrap loads nothing but its own files and what Node brings',
  async (answerer) => {
    const place = new Workplace()
    const desk = answerer === 'a person at the desk' ? await DeskProgram.start(place) : undefined
    const who = { when: { request: 'elicitation' }, then: { action: 'accept', content: { name: 'Ada' } } }
    const options = desk ? [] : answerer === 'nobody' ? ['--no-desk'] : ['--answers', place.answers(who)]
    const command = [node, '--import', moduleLog, program, 'wrap', ...options, '--', node, askingServer, 'legacy']
    const client = new RawClient(command, place, { MODULE_LOG: join(place.folder, 'loaded') })
    const foreign = (): readonly string[] =>
      place
        .read('loaded')
        .split('\n')
        .filter((url) => url !== '' && !url.startsWith('node:') && !url.startsWith(own))
    await client.shakeHands()
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } })
    await client.answerTo(1)
    const before = foreign()
    client.say({ id: 2, method: 'tools/call', params: { name: 'who', arguments: {} } })
    if (desk) await desk.decide(await desk.review(), { action: 'accept', content: { name: 'Ada' } })
    await client.answerTo(2)

    expect(before).toEqual([])
    // Where there is no desk, it needs the log then, and with it a database; what is refused is written down right after it.
    const hasDatabase = (): boolean => foreign().some((url) => url.includes('/libsql/'))
    if (desk) expect(hasDatabase()).toBe(false)
    else await vi.waitFor(() => expect(hasDatabase()).toBe(true), 10_000)
  },
  120_000,
)
