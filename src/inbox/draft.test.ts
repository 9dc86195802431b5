import { expect, test } from 'vitest'
import { createDraft } from './draft.ts'

test('a window that fails when it is told keeps nobody from writing, and every other window is told', async () => {
  const faults: unknown[] = []
  const previous = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (fault) => faults.push(fault))
  const draft = createDraft('')
  const told: string[] = []
  draft.subscribe(() => {
    throw new Error('a window broke')
  })
  draft.subscribe((value) => told.push(value))
  draft.update('aisle')
  await new Promise(setImmediate)
  process.removeAllListeners('uncaughtException')
  for (const listener of previous) process.on('uncaughtException', listener)

  expect({ value: draft.value, told, faults }).toMatchObject({ value: 'aisle', told: ['aisle'], faults: [{ message: 'a window broke' }] })
})

test('each change is told once, until nobody wants to know any more', () => {
  const draft = createDraft('')
  const told: string[] = []
  const stop = draft.subscribe((value) => told.push(value))
  draft.update('a')
  draft.update('a')
  draft.update('b')
  stop()
  draft.update('c')

  expect({ value: draft.value, told }).toEqual({ value: 'c', told: ['a', 'b'] })
})
