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

  const lines = session.said.split('\n')
  expect(lines).toEqual([...Array.from({ length: lines.length - 1 }, (_, index) => `${1001 - lines.length + index} ${'x'.repeat(500)}`), ''])
  expect([session.said.length > 15 * 1024, session.said.length <= 16 * 1024]).toEqual([true, true])
})

test('of a key that is cut off its BEGIN is told too, so that whoever shows it knows what it is', () => {
  const [news, session] = [new StderrNews(), new HearingSession()]
  news.push(Buffer.from('-----BEGIN RSA PRIVATE KEY-----\n'))
  for (let count = 0; count < 700; count += 1) news.push(Buffer.from(`${'EXAMPLE0'.repeat(8)}\n`))
  news.tell(session)
  news.close()

  expect([session.said.split('\n')[0], session.said.length < 17 * 1024]).toEqual(['-----BEGIN RSA PRIVATE KEY-----', true])
})
