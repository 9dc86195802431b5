import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { FakeClock } from '../../test/fixtures/fake-session.ts'
import { defaultCallTimeouts } from './call-clock.ts'
import { unlessAborted } from './clock.ts'
import { onAbort } from './on-abort.ts'
import { OpenCalls } from './open-calls.ts'

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

test('a hundred calls and waits that share a signal put one listener on it, and leave none', async () => {
  const { signal } = new AbortController()
  const calls = new OpenCalls(new FakeClock())
  let finish = (): void => {}
  const work = new Promise<void>((resolve) => (finish = resolve))
  const opened = Array.from({ length: 100 }, () => calls.open(undefined, defaultCallTimeouts, signal))
  const waits = opened.map(() => unlessAborted(work, signal))
  const during = listenersOf(signal)
  for (const call of opened) call.finish()
  finish()
  await Promise.all(waits)
  await Promise.resolve()

  expect([during, listenersOf(signal)]).toEqual([1, 0])
})

test('everybody who still watches is told, once and in order', () => {
  const controller = new AbortController()
  const told: string[] = []
  const tell = (name: string) => onAbort(controller.signal, () => told.push(name))
  const first = tell('first')
  first()
  first()
  const leaver = tell('leaves')
  onAbort(controller.signal, () => {
    told.push('second')
    leaver2()
  })
  const leaver2 = tell('taken back while others are told')
  tell('third')
  leaver()
  controller.abort()
  controller.abort()

  expect([told, listenersOf(controller.signal)]).toEqual([['second', 'third'], 0])
})
