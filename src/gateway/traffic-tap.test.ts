import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Heard } from '../protocol/index.ts'
import { TrafficTap } from './traffic-tap.ts'

type Message = Extract<Heard, { readonly kind: 'traffic' }>

function newTap(takes: () => boolean = () => true): { readonly tap: TrafficTap; readonly told: Message[]; readonly clock: { at: number; now(): number } } {
  const told: Message[] = []
  const clock = { at: 0, now: () => clock.at }
  const tap = new TrafficTap({
    clock,
    tell: (heard) => {
      const isTaken = takes()
      if (isTaken) told.push(heard as Message)
      return isTaken
    },
  })
  return { tap, told, clock }
}

test('each line is told once, whole and in order, however it was cut', () => {
  const cut = fc.array(fc.nat({ max: 7 }), { maxLength: 30 })
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), cut, (texts, sizes) => {
      const lines = texts.map((text) => text.replaceAll('\n', ' ')).filter((text) => text !== '')
      const { tap, told } = newTap()
      let bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      for (const size of sizes) {
        tap.hear('server', bytes.subarray(0, size))
        bytes = bytes.subarray(size)
      }
      tap.hear('server', bytes)
      expect(told).toEqual(lines.map((line) => ({ kind: 'traffic', from: 'server', line })))
    }),
  )
})

test('both sides are cut by themselves', () => {
  const { tap, told } = newTap()
  tap.hear('server', Buffer.from('{"a"'))
  tap.hear('client', '{"b":1}\n')
  tap.hear('server', Buffer.from(':1}\n'))

  expect(told.map(({ from, line }) => [from, line])).toEqual([
    ['client', '{"b":1}'],
    ['server', '{"a":1}'],
  ])
})

test('of a very long line the beginning is told, and how long it was; nothing more of it is kept', () => {
  const { tap, told } = newTap()
  for (let count = 0; count < 40; count += 1) tap.hear('server', Buffer.alloc(64 * 1024, 'x'))
  tap.hear('server', Buffer.from('\n{}\n'))

  expect(told.map(({ line, bytes }) => [line.length, bytes])).toEqual([
    [256 * 1024, 40 * 64 * 1024],
    [2, undefined],
  ])
})

test('more than anybody could follow is left out and counted, and so is what nobody takes', () => {
  let takes = true
  const { tap, told, clock } = newTap(() => takes)
  tap.hear('client', '{}\n'.repeat(600))
  clock.at += 1000
  tap.hear('client', '1\n')
  takes = false
  tap.hear('client', '2\n3\n')
  takes = true
  tap.hear('client', '4\n5\n')

  expect(told.length).toBe(500 + 3)
  expect(told.slice(500).map(({ line, missed }) => [line, missed])).toEqual([
    ['1', 100],
    ['4', 2],
    ['5', undefined],
  ])
})
