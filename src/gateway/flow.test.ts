import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Inlet, Outlet } from './flow.ts'

/** A reader that takes a chunk only when the test says so. */
function slowReader(): { readonly stream: Writable; readonly taken: string[]; readonly take: () => Promise<void> } {
  const taken: string[] = []
  const waiting: (() => void)[] = []
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk: Buffer, _encoding, done) {
      waiting.push(() => {
        taken.push(chunk.toString())
        done()
      })
    },
  })
  return { stream, taken, take: () => new Promise((resolve) => (waiting.shift()?.(), setImmediate(resolve))) }
}

test('whoever sends to a slow reader is not read until it has caught up; nobody else is held', async () => {
  const { stream, take } = slowReader()
  const [sender, other] = [new PassThrough(), new PassThrough()]
  const [from, another] = [new Inlet(sender.resume()), new Inlet(other.resume())]
  const outlet = new Outlet(stream, () => undefined)
  outlet.forward([Buffer.alloc(40_000)], from)
  const early = from.isHeld
  outlet.forward([Buffer.alloc(40_000)], from)
  const held = [from.isHeld, another.isHeld, sender.isPaused()]
  await take()
  await take()

  expect([early, held, from.isHeld, sender.isPaused()]).toEqual([false, [true, false, true], false, false])
})

test('answers of ours get more patience than what is passed on, and then hold whoever asks', () => {
  const { stream } = slowReader()
  const asker = new Inlet(new PassThrough().resume())
  const outlet = new Outlet(stream, () => undefined)
  outlet.inject('x'.repeat(900_000), asker)
  const patient = asker.isHeld
  outlet.inject('x'.repeat(200_000), asker)

  expect([patient, asker.isHeld]).toEqual([false, true])
})

test('an inlet that two outlets hold is read again when both let go', () => {
  const stream = new PassThrough().resume()
  const inlet = new Inlet(stream)
  const [one, two] = [{}, {}]
  inlet.hold(one)
  inlet.hold(two)
  inlet.release(one)
  const half = stream.isPaused()
  inlet.release(two)

  expect([half, stream.isPaused(), inlet.isHeld]).toEqual([true, false, false])
})

test('a reader that is gone is reported once, holds nobody, and what is meant for it is lost', () => {
  const { stream } = slowReader()
  const from = new Inlet(new PassThrough().resume())
  let closed = 0
  const outlet = new Outlet(stream, () => (closed += 1))
  outlet.forward([Buffer.alloc(100_000)], from)
  const held = from.isHeld
  stream.emit('error', new Error('EPIPE'))
  stream.emit('close')
  outlet.forward([Buffer.alloc(100_000)], from)

  expect([held, from.isHeld, closed, outlet.isOpen]).toEqual([true, false, 1, false])
})

test('what was said is waited for, however little it is', async () => {
  const { stream, taken, take } = slowReader()
  const outlet = new Outlet(stream, () => undefined)
  outlet.forward([Buffer.from('bye')], new Inlet(new PassThrough()))
  let isDrained = false
  const drained = outlet.drained().then(() => (isDrained = true))
  await new Promise((resolve) => setImmediate(resolve))
  const early = isDrained
  await take()
  await take()
  await drained

  expect([early, isDrained, taken[0]]).toEqual([false, true, 'bye'])
})
