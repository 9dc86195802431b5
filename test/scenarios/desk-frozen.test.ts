import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000
const call = (id: number, name: string): object => ({ id, method: 'tools/call', params: { name, arguments: { text: 'on' } } })

test(
  'a desk that stands still is told apart from one whose person thinks: what waits ends with cancel, everything else goes on, and it is asked again when it moves',
  async () => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--', node, askingServer, 'legacy'])
    await client.shakeHands()
    client.say(call(1, 'who'))
    await desk.review()
    desk.child.kill('SIGSTOP')
    onTestFinished(() => void desk.child.kill('SIGCONT'))
    client.say(call(2, 'echo'))
    const traffic = JSON.stringify((await client.answerTo(2)).result)
    const waited = JSON.stringify((await client.answerTo(1)).result)
    desk.child.kill('SIGCONT')
    client.say(call(3, 'who'))
    const review = await desk.review(({ id }) => desk.events.seen.filter((event) => event.type === 'review-opened').at(-1)?.review.id === id)
    const ended = desk.events.seen.filter((event) => event.type === 'review-closed').length

    expect([traffic, waited]).toEqual([expect.stringContaining('on'), expect.stringContaining('cancel')])
    expect(review.ended).toBeUndefined()
    expect(ended).toBeLessThanOrEqual(1)
  },
  LONG,
)

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

test(
  'a wrap that is started while the desk stands still serves its client at once, tells the folders that were named, and asks at the desk as soon as it moves',
  async () => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'trip'))
    const desk = await DeskProgram.start(place)
    desk.child.kill('SIGSTOP')
    onTestFinished(() => void desk.child.kill('SIGCONT'))
    const [legacy, modern] = ['legacy', 'modern'].map((era) => RawClient.wrap(place, ['--root', 'trip', '--', node, askingServer, era])) as [
      RawClient,
      RawClient,
    ]
    await legacy.shakeHands()
    legacy.say(call(1, 'watch'))
    const ask = (id: number, name: string): void => modern.say({ id, method: 'tools/call', params: { name, arguments: { text: 'on' }, _meta: meta } })
    ask(1, 'echo')
    const traffic = JSON.stringify((await modern.answerTo(1)).result)
    ask(2, 'who')
    const refused = await modern.answerTo(2)
    desk.child.kill('SIGCONT')
    // It asks for its folders before and after the desk is there.
    const folders = JSON.stringify((await legacy.answerTo(1)).result)
    const review = desk.review(({ asker }) => asker.client === 'modern')
    let isShown = false
    void review.then(() => (isShown = true))
    for (let id = 3; !isShown; id += 1) {
      ask(id, 'who')
      await sleep(200)
    }

    expect(traffic).toContain('on')
    expect(refused.error ?? refused.result).toBeDefined()
    expect(folders.match(/state|\/trip/g)).toEqual(['/trip', '/trip'])
    expect(legacy.stderr).toMatch(/does not answer\. Nobody can be asked here until a desk answers.*a desk answers now/s)
  },
  LONG,
)
