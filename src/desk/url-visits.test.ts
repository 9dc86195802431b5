import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UrlVisits } from './url-visits.ts'

const visit = (elicitationId: unknown): object => ({ mode: 'url', elicitationId })

test('only what was asked can be reported complete', () => {
  const visits = new UrlVisits()
  visits.complete('e1')
  visits.remember(visit('e1'))
  const before = visits.areComplete(['e1'])
  visits.complete('e1')

  expect([before, visits.areComplete(['e1']), visits.areComplete(['e1', 'e2']), visits.areComplete([])]).toEqual([false, true, false, false])
})

test.each([undefined, null, 'e1', ['e1'], {}, visit(7), visit(null)])('a question like %j has no id that could be reported', (params) => {
  const visits = new UrlVisits()
  visits.remember(params)
  visits.complete('e1')
  visits.complete('7')

  expect([visits.areComplete(['e1']), visits.areComplete(['7'])]).toEqual([false, false])
})

test('names that every object inherits are ids like any other', () => {
  const visits = new UrlVisits()
  for (const id of ['__proto__', 'constructor', '']) visits.remember(visit(id))
  for (const id of ['__proto__', '']) visits.complete(id)

  expect(['__proto__', 'constructor', 'toString', ''].map((id) => visits.areComplete([id]))).toEqual([true, false, false, true])
})

test('whoever waits is told once, when the last of their ids is complete', () => {
  const visits = new UrlVisits()
  for (const id of ['e1', 'e2', 'e3']) visits.remember(visit(id))
  const told: string[] = []
  visits.whenComplete(['e1', 'e2'], () => told.push('both'))
  const stop = visits.whenComplete(['e3'], () => told.push('stopped'))
  stop()
  for (const id of ['e1', 'e3', 'e2', 'e2', 'e1']) visits.complete(id)

  expect(told).toEqual(['both'])
})

test('a server that names ids without end makes nothing grow, and loses the oldest', () => {
  const visits = new UrlVisits()
  for (let number = 0; number < 5000; number += 1) visits.remember(visit(`e${number}`))
  visits.complete('e0')
  visits.complete('e4999')

  expect([visits.areComplete(['e0']), visits.areComplete(['e4999'])]).toEqual([false, true])
})

test('an id that is asked again is open again, until it is reported again', () => {
  const visits = new UrlVisits()
  visits.remember(visit('e1'))
  visits.complete('e1')
  visits.remember({ ...visit('e1'), url: 'https://other.example' })
  const again = visits.areComplete(['e1'])
  visits.complete('e1')

  expect([again, visits.areComplete(['e1'])]).toEqual([false, true])
})

test('whatever is asked and reported in whatever order, complete is what was reported since it was asked last', () => {
  const step = fc.tuple(fc.constantFrom('ask', 'report'), fc.constantFrom('a', 'b', 'c'))
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const visits = new UrlVisits()
      const [asked, complete] = [new Set<string>(), new Set<string>()]
      let [told, wasBoth] = [0, false]
      visits.whenComplete(['a', 'b'], () => (told += 1))
      for (const [what, id] of steps) {
        if (what === 'ask') {
          visits.remember(visit(id))
          asked.add(id)
          complete.delete(id)
        } else {
          visits.complete(id)
          if (asked.has(id)) complete.add(id)
        }
        wasBoth ||= complete.has('a') && complete.has('b')
      }

      expect(['a', 'b', 'c'].map((id) => visits.areComplete([id]))).toEqual(['a', 'b', 'c'].map((id) => complete.has(id)))
      expect(told).toBe(wasBoth ? 1 : 0)
    }),
  )
})
