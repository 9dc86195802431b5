import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { LogWatch } from './log-watch.ts'

test('a log that cannot be read is told once, and again when it can be', async () => {
  let failure: Error | undefined = new ConsentryError('AUDIT_UNAVAILABLE', 'it is damaged')
  const told: unknown[] = []
  let tellMended = (): void => undefined
  const mended = new Promise<void>((resolve) => (tellMended = resolve))
  const watch: LogWatch = new LogWatch({
    audit: { page: () => (failure === undefined ? Promise.resolve([]) : Promise.reject(failure)) },
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
  const watch = new LogWatch({ audit: { page: () => late }, onChange: () => told.push(1) })
  const looking = watch.look()
  watch.close()
  fail()
  await looking

  expect([told, watch.fault]).toEqual([[], undefined])
})
