import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import type { Heard } from '../protocol/index.ts'
import { startGateway } from './start-gateway.ts'

class CuriousSession extends FakeSession {
  readonly all: Heard[] = []
  readonly #wake: (() => void)[] = []

  heard(heard: Heard): boolean {
    this.all.push(heard)
    for (const wake of this.#wake.splice(0)) wake()
    return true
  }

  async lines(count: number): Promise<readonly string[]> {
    while (this.all.length < count) await new Promise<void>((resolve) => this.#wake.push(resolve))
    return this.all.map((heard) => (heard.kind === 'traffic' ? `${heard.from}: ${heard.line}` : ''))
  }
}

const echo = 'process.stdin.on("data", (chunk) => process.stdout.write(chunk))'
const note = (text: string): string => `{"jsonrpc":"2.0","method":"note","params":{"text":"${text}"}}`

test('what client and server say is heard as long as somebody wants to see it, and not before or after', async () => {
  const [input, output, session] = [new PassThrough(), new PassThrough(), new CuriousSession()]
  const gateway = await startGateway({
    server: { command: process.execPath, args: ['-e', echo], env: {} },
    client: { input, output },
    wishes: { take: new Set(), pass: new Set() },
    before: () => session.can,
    openSession: () => Promise.resolve(session),
    onStderr: () => undefined,
    notice: () => undefined,
    platform: process.platform,
  })
  onTestFinished(() => gateway.kill())
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const say = async (text: string): Promise<void> => {
    input.write(`${note(text)}\n`)
    await lines.next()
  }
  await gateway.conversation.openDesk()
  await say('before')
  session.show(true)
  // What hears is loaded only now: until then some goes by.
  for (let count = 0; session.all.length === 0; count += 1) await say(`on ${count}`)
  const from = session.all.length
  await say('é')
  const heard = await session.lines(from + 2)
  session.show(false)
  const before = session.all.length
  await say('after')

  expect(heard.some((line) => line.includes('before'))).toBe(false)
  expect(heard.slice(-2)).toEqual([`client: ${note('é')}`, `server: ${note('é')}`])
  expect(session.all.length).toBe(before)
})
