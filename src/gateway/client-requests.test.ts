import { expect, test } from 'vitest'
import { ClientRequests, type ClientRequest } from './client-requests.ts'

const request = (id: number): ClientRequest => ({
  id,
  writtenId: String(id),
  method: 'tools/call',
  line: undefined,
  owners: undefined,
  agreed: undefined,
  progressToken: undefined,
  progress: 0,
  upstream: id,
  isAmbiguous: false,
  twins: 0,
  told: undefined,
  rounds: 0,
  controller: undefined,
})

test('however often a server is started afresh, what ended with the last ones is known, and no more is kept than that', () => {
  const requests = new ClientRequests()
  for (let id = 0; id < 30_000; id += 1) {
    requests.open(request(id))
    if (id % 100 === 99) requests.takeFromServer()
  }
  const known = Array.from({ length: 30_000 }, (_, id) => id).filter((id) => requests.isUnheard(id))

  expect([known.length, known[0], known.at(-1)]).toEqual([10_000, 20_000, 29_999])
})

test('an id that comes again is open again', () => {
  const requests = new ClientRequests()
  requests.open(request(1))
  requests.takeFromServer()
  const before = requests.isUnheard(1)
  requests.open(request(1))

  expect([before, requests.isUnheard(1)]).toEqual([true, false])
})
