import { expect, test } from 'vitest'
import type { TimelineEvent } from '../../src/console-api/contract.ts'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { modern } from '../fixtures/gateway-talk.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000

test.each(['legacy', 'modern'] as const)(
  'what a wrapped server (%s) and its client say reaches the timeline of the desk from when it is switched on until it is switched off, without secrets',
  async (era) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--name', 'asking', '--', node, askingServer, era])
    if (era === 'legacy') await client.shakeHands()
    let id = 0
    const call = (name: string, args: object): number => {
      const params = { name, arguments: args }
      client.say({ id: (id += 1), method: 'tools/call', params: era === 'modern' ? modern({}, params) : params })
      return id
    }
    const echo = async (note: string): Promise<unknown> => client.answerTo(call('echo', { note, password: 'hunter2-in-plain' }))
    const seen = new Set<string>()
    /** When this has been asked, the desk has heard everything that was said before. */
    const ask = async (): Promise<void> => {
      const asked = call('who', {})
      const review = await desk.review((one) => !seen.has(one.id))
      seen.add(review.id)
      await desk.decide(review, { action: 'decline' })
      await client.answerTo(asked)
    }
    const messages = async (): Promise<readonly TimelineEvent[]> => {
      const { events } = await desk.person.call('timeline/list', { limit: 500 })
      return events.filter(({ kind }) => kind === 'message')
    }
    const texts = async (): Promise<readonly string[]> => {
      const kept = (await messages()).filter(({ hasMessage }) => hasMessage)
      return Promise.all(kept.map(async ({ from, id: message }) => [from, (await desk.person.call('timeline/message', { id: message })).json].join(' ')))
    }

    await echo('before')
    await ask()
    const before = await messages()
    await desk.person.call('timeline/traffic', { server: 'asking', on: true })
    // The wrap hears of it a moment later.
    while ((await messages()).length === 0) await ask()
    await echo('while-it-is-on')
    await ask()
    const told = (await texts()).filter((text) => text.includes('while-it-is-on'))
    const all = (await texts()).join('\n')
    await desk.person.call('timeline/traffic', { server: 'asking', on: false })
    for (let heard = -1; heard !== (await messages()).length; await ask()) heard = (await messages()).length
    await echo('afterwards')
    await ask()

    expect(before).toEqual([])
    expect(new Set(told.map((text) => text.split(' ')[0]))).toEqual(new Set(['client', 'server']))
    expect([all.includes('hunter2'), all.includes('before'), (await texts()).join('\n').includes('afterwards')]).toEqual([false, false, false])
    client.child.stdin!.end()
    expect(await client.ended).toBe(0)
  },
  LONG,
)
