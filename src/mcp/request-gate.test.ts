import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestGate } from './request-gate.ts'

test('so many run at once, the rest in their order, and an open id is not let in twice', () => {
  const gate = new RequestGate({ atOnce: 2, waiting: 2 })
  const ran: string[] = []
  const verdicts = ['a', 'b', 'c', 'a', 'd', 'e', 'c'].map((key) => gate.admit(key, 'form', () => ran.push(key)))
  gate.release('b')
  gate.release('a')

  expect({ verdicts, ran }).toEqual({
    verdicts: ['admitted', 'admitted', 'admitted', 'duplicate', 'admitted', 'full', 'duplicate'],
    ran: ['a', 'b', 'c', 'd'],
  })
})

test('one kind does not hold up another', () => {
  const gate = new RequestGate({ atOnce: 1, waiting: 10 })
  const ran: string[] = []
  for (const [key, kind] of [
    ['f1', 'form'],
    ['f2', 'form'],
    ['r1', 'roots'],
  ] as const)
    gate.admit(key, kind, () => ran.push(key))

  expect(ran).toEqual(['f1', 'r1'])
})

test('whatever comes in whatever order: each admitted request runs once at most, never too many at once, and all run in the end', () => {
  const step = fc.oneof(fc.record({ admit: fc.integer({ min: 0, max: 9 }) }), fc.record({ release: fc.integer({ min: 0, max: 9 }) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 3 }), (steps, atOnce) => {
      const gate = new RequestGate({ atOnce, waiting: 100 })
      const running = new Set<number>()
      const open = new Set<number>()
      for (const one of steps) {
        if ('admit' in one) {
          const verdict = gate.admit(String(one.admit), 'x', () => {
            expect(running.has(one.admit)).toBe(false)
            running.add(one.admit)
          })
          expect(verdict).toBe(open.has(one.admit) ? 'duplicate' : 'admitted')
          open.add(one.admit)
        } else {
          running.delete(one.release)
          expect(gate.release(String(one.release))).toBe(open.delete(one.release))
        }
        expect(running.size).toBe(Math.min(atOnce, open.size))
      }
      expect(gate.size).toBe(open.size)
    }),
  )
})
