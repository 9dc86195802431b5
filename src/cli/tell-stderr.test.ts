import { expect, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import type { Heard } from '../protocol/index.ts'
import { StderrNews } from './tell-stderr.ts'

class HearingSession extends FakeSession {
  said = ''

  heard(heard: Heard): boolean {
    if (heard.kind === 'stderr') this.said += heard.text
    return true
  }
}

test('what a server wrote before anybody was there is told, and what comes after, with letters whole that come in pieces', () => {
  const [news, session] = [new StderrNews(), new HearingSession()]
  const letters = Buffer.from('éü\n')
  news.push(Buffer.from('first\n'))
  news.tell(session)
  news.push(letters.subarray(0, 1))
  news.push(letters.subarray(1))
  news.close()

  expect(session.said).toBe('first\néü\n')
})

test('of a flood the last is kept, and nobody there costs nothing', () => {
  const [news, session] = [new StderrNews(), new HearingSession()]
  for (let count = 0; count < 1000; count += 1) news.push(Buffer.from(`${count} ${'x'.repeat(500)}\n`))
  news.tell(session)
  news.close()
  news.push(Buffer.from('after the end'))
  news.close()

  expect(session.said.length).toBe(16 * 1024)
  expect(session.said.endsWith(`999 ${'x'.repeat(500)}\n`)).toBe(true)
})
