import { expect, test } from 'vitest'
import { countHangingCalls } from './hanging-calls.ts'
import { Lane } from './lane.ts'

/** Calls that answer when the test says so. */
function calls(): { readonly made: string[]; readonly call: (name: string) => () => Promise<string>; readonly answer: (name: string) => void } {
  const made: string[] = []
  const open = new Map<string, () => void>()
  return {
    made,
    call: (name) => () => {
      made.push(name)
      return new Promise((resolve) => open.set(name, () => resolve(name)))
    },
    answer: (name) => open.get(name)?.(),
  }
}
const laneOf = (options: { readonly slow?: number; readonly isFar?: boolean } = {}): Lane => new Lane({ slow: 5, patience: 5, ...options })
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one question is asked at a time, in the order in which they came', async () => {
  const { made, call, answer } = calls()
  const lane = laneOf({ slow: 10_000 })
  const asked = ['a', 'b', 'c'].map((name) => lane.ask({ near: call(name), far: call(`far ${name}`), late: 'late' }))
  const steps: string[] = []
  for (const name of ['a', 'b', 'c']) {
    steps.push(made.join())
    answer(name)
    await settled()
  }

  expect([steps, await Promise.all(asked)]).toEqual([
    ['a', 'a,b', 'a,b,c'],
    ['a', 'b', 'c'],
  ])
})

test('a call that hangs is asked again by another process, and so is what follows, until it answers', async () => {
  const { made, call, answer } = calls()
  const lane = laneOf()
  const ask = (name: string): Promise<string> => lane.ask({ near: call(name), far: async () => call(`far ${name}`)().then(String), late: 'late' })
  const first = ask('a')
  while (!made.includes('far a')) await settled()
  answer('far a')
  const during = [await first, countHangingCalls(), lane.isSlow]
  const second = ask('b')
  await settled()
  answer('far b')
  await second
  answer('a')
  await settled()
  const third = ask('c')
  await settled()
  answer('c')

  expect([during, await third, countHangingCalls(), made]).toEqual([['far a', 1, true], 'c', 0, ['a', 'far a', 'far b', 'c']])
})

test('where the other process hangs too, everything is late at once, until it answers', async () => {
  const { made, call, answer } = calls()
  const lane = laneOf({ isFar: true })
  const ask = (name: string): Promise<string> => lane.ask({ near: call(name), far: call(`far ${name}`), late: 'late' })
  const late = await Promise.all([ask('a'), ask('b'), ask('c')])
  answer('far a')
  await settled()
  const again = ask('d')
  await settled()
  answer('far d')

  expect([late, await again, made]).toEqual([['late', 'late', 'late'], 'far d', ['far a', 'far d']])
})

test('a question that only this process can answer is late while the device is slow', async () => {
  const { made, call, answer } = calls()
  const lane = laneOf()
  const hanging = await lane.ask({ near: call('a'), late: 'late' })
  const next = await lane.ask({ near: call('b'), late: 'late' })
  answer('a')
  await settled()
  const after = lane.ask({ near: call('c'), late: 'late' })
  await settled()
  answer('c')

  expect([hanging, next, await after, made]).toEqual(['late', 'late', 'c', ['a', 'c']])
})

test('with two calls that hang, this process asks nothing itself any more', async () => {
  const { made, call, answer } = calls()
  const hanging = ['x', 'y'].map((name) => laneOf().ask({ near: call(name), far: async () => 'far', late: 'late' }))
  await Promise.all(hanging)
  const count = countHangingCalls()
  const asked = laneOf().ask({ near: call('a'), far: call('far a'), late: 'late' })
  await settled()
  answer('far a')
  const asWasAsked = await asked
  for (const name of ['x', 'y']) answer(name)
  await settled()

  expect([count, asWasAsked, made, countHangingCalls()]).toEqual([2, 'far a', ['x', 'y', 'far a'], 0])
})

test('a question that fails is late, and the next is asked', async () => {
  const lane = laneOf()

  expect(await lane.ask({ near: () => Promise.reject(new Error('bad sector')), late: 'late' })).toBe('late')
  expect(await lane.ask({ near: () => Promise.resolve('fine'), late: 'late' })).toBe('fine')
})
