import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import { connect } from './connect.ts'
import { fromSdkError } from './sdk-error.ts'

test('what a TypeError says, such as a header with its value, is passed on nowhere', async () => {
  const thrown = (() => {
    try {
      return new Headers({ Authorization: 'Bearer SE\nCRET' })
    } catch (error) {
      return error
    }
  })()
  const log: unknown[] = []
  const target = { kind: 'http' as const, url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer SE\nCRET' } }
  const failure = await connect({ target, session: new FakeSession(), onLog: (entry) => log.push(entry) }).catch((error: unknown) => error)

  expect(fromSdkError(thrown)).toMatchObject({ code: 'CONNECTION_LOST' })
  expect(failure).toMatchObject({ code: 'SERVER_UNREACHABLE' })
  expect(inspect([fromSdkError(thrown), failure, log], { depth: 9 })).not.toContain('CRET')
})

test('what anything else says is kept', () => {
  expect(fromSdkError(new Error('connect ECONNREFUSED')).message).toBe('connect ECONNREFUSED')
})
