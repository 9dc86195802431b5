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
