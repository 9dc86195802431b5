import { expect, test } from 'vitest'
import { mergeWritten } from './merge-written.ts'

test('what was changed here stays, what was changed elsewhere comes, and what both changed is as it was changed here', () => {
  const was = { command: 'node', args: 'a', cwd: '', gone: 'x', limits: { costPerDay: '1' } }
  const written = { ...was, command: 'bun', cwd: '/here', limits: { costPerDay: '2' } }
  const is = { command: 'node', args: 'b', cwd: '/there', limits: { costPerDay: '1' } } as typeof was

  expect(mergeWritten(written, was, is)).toEqual({ command: 'bun', args: 'b', cwd: '/here', gone: undefined, limits: { costPerDay: '2' } })
})
