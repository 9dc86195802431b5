import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { LogWatch } from './log-watch.ts'

test('a log that cannot be read is told once, and again when it can be', async () => {
  let failure: Error | undefined = new ConsentryError('AUDIT_UNAVAILABLE', 'it is damaged')
  const told: unknown[] = []
  let tellMended = (): void => undefined
  const mended = new Promise<void>((resolve) => (tellMended = resolve))
  const watch: LogWatch = new LogWatch({
    audit: {
      page: () => (failure === undefined ? Promise.resolve([]) : Promise.reject(failure)),
      tryWriting: () => Promise.reject(new Error('not asked for')),
    },
    lacksEntry: () => false,
    onWritable: () => undefined,
    onChange: () => {
      told.push(watch.fault)
      if (watch.fault === undefined) tellMended()
    },
    pause: 1,
  })

  await watch.look()
  await watch.look()
  failure = new TypeError('a secret of ours')
  await watch.look()
  failure = undefined
  await mended
  watch.close()
  watch.close()

  expect(told).toEqual([{ code: 'AUDIT_UNAVAILABLE', message: 'it is damaged' }, { code: 'INTERNAL', message: 'The log cannot be read.' }, undefined])
})

test('nothing is told after it was closed', async () => {
  const told: unknown[] = []
  let fail = (): void => undefined
  const late = new Promise<never>((_, reject) => (fail = () => reject(new Error('late'))))
  const watch = new LogWatch({
    audit: { page: () => late, tryWriting: () => late },
    lacksEntry: () => true,
    onWritable: () => told.push(2),
    onChange: () => told.push(1),
  })
  const looking = watch.look()
  watch.close()
  fail()
  await looking

  expect([told, watch.fault]).toEqual([[], undefined])
})

test('a log that lacked an entry is tried until one could be written, with the reason meanwhile', async () => {
  let [isFull, lacksEntry] = [true, false]
  const told: unknown[] = []
  let tellWritable = (): void => undefined
  const writable = new Promise<void>((resolve) => (tellWritable = resolve))
  const watch: LogWatch = new LogWatch({
    audit: {
      page: () => Promise.resolve([]),
      tryWriting: () => (isFull ? Promise.reject(new ConsentryError('AUDIT_UNAVAILABLE', 'the disk is full')) : Promise.resolve()),
    },
    lacksEntry: () => lacksEntry,
    onWritable: () => {
      lacksEntry = false
      tellWritable()
    },
    onChange: () => told.push(watch.fault?.message),
    pause: 1,
  })

  await watch.look()
  lacksEntry = true
  await watch.look()
  isFull = false
  await writable
  await watch.look()
  watch.close()

  expect(told).toEqual(['the disk is full', undefined])
})
