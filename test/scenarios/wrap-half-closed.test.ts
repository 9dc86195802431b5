import { expect, test } from 'vitest'
import { DeskProgram, isAlive } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000
/** A server that closes what it reads from, or what it writes on, when it is told to by a signal. */
const script = `
  const { closeSync, renameSync, writeFileSync } = require('fs')
  process.on('SIGUSR2', () => closeSync(0)).on('SIGHUP', () => closeSync(1))
  writeFileSync('pid.new', String(process.pid))
  renameSync('pid.new', 'pid')
  import(process.argv[2])
`

interface Half {
  readonly close: (client: RawClient, server: number) => void
  /** It shows with the next thing that is said, and not before. */
  readonly showsLate: boolean
}

const halves: Readonly<Record<string, Half>> = {
  'the client closes what it writes on': { close: ({ child }) => void child.stdin!.end(), showsLate: false },
  'the client closes what it reads from': { close: ({ child }) => void child.stdout!.destroy(), showsLate: true },
  'the server closes what it reads from': { close: (_, server) => void process.kill(server, 'SIGUSR2'), showsLate: true },
  'the server closes what it writes on': { close: (_, server) => void process.kill(server, 'SIGHUP'), showsLate: false },
}

test.each(Object.entries(halves))(
  'half a pipe: %s while a question waits, which ends once, and nothing is left running',
  async (_, { close, showsLate }) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const client = RawClient.wrap(place, ['--', node, '-e', script, 'legacy', askingServer])
    await client.shakeHands()
    client.say({ id: 1, method: 'tools/call', params: { name: 'who', arguments: {} } })
    const review = await desk.review()
    const server = Number(place.read('pid'))
    close(client, server)
    if (showsLate) await desk.decide(review, { action: 'accept', content: { name: 'Ada' } })
    const end = await desk.endOf(review.id)
    await client.ended
    await expect.poll(() => isAlive(server), { timeout: 20_000 }).toBe(false)
    const closed = desk.events.seen.filter((event) => event.type === 'review-closed')

    expect([end.outcome, closed.length]).toEqual([showsLate ? 'decided' : 'withdrawn', 1])
  },
  LONG,
)
