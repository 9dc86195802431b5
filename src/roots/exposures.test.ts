import { expect, test } from 'vitest'
import { MemoryAudit } from '../audit/index.ts'
import { readExposures } from './exposures.ts'

test('the log says who was told of which folder, and when last: who was told last stands first', async () => {
  let now = 0
  const audit = new MemoryAudit({ now: () => (now += 1000) })
  const about = { request: 'roots', connection: 'c1', question: 'q' } as const
  const tell = (server: string, ...roots: readonly string[]): Promise<void> =>
    audit.append({ ...about, event: 'answered', server, facts: { roots: [...roots] } })
  await tell('travel', 'file:///a', 'file:///b')
  await tell('notes', 'file:///a')
  await tell('travel', 'file:///a')
  await tell('travel')
  await audit.append({ ...about, event: 'asked', server: 'evil', facts: { roots: ['file:///a'] } })
  await audit.append({ ...about, request: 'sampling', event: 'answered', server: 'evil', facts: { roots: ['file:///a'] } })
  await audit.append({ ...about, event: 'answered', server: 'evil', facts: { roots: 'file:///a' } })
  async function* entries(): AsyncGenerator<(typeof audit.entries)[number]> {
    yield* audit.entries
  }

  expect(await readExposures(entries())).toEqual(
    new Map([
      [
        'file:///a',
        [
          { server: 'travel', at: '1970-01-01T00:00:03.000Z' },
          { server: 'notes', at: '1970-01-01T00:00:02.000Z' },
        ],
      ],
      ['file:///b', [{ server: 'travel', at: '1970-01-01T00:00:01.000Z' }]],
    ]),
  )
})
