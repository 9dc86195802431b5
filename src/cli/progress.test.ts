import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('who reads a log is told now and then, and ever more seldom, what is still awaited', () => {
  const stderr = new PassThrough()
  const progress = showProgress('waiting for travel', { stderr })
  vi.advanceTimersByTime(41_000)
  progress.stop()
  vi.advanceTimersByTime(600_000)

  expect(String(stderr.read()).split('\n')).toEqual([
    'consentry: still waiting for travel (5 s)',
    'consentry: still waiting for travel (10 s)',
    'consentry: still waiting for travel (20 s)',
    'consentry: still waiting for travel (40 s)',
    '',
  ])
})

test('what is over in a moment says nothing', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const progress = showProgress('waiting for travel', { stderr })
  vi.advanceTimersByTime(400)
  progress.stop()

  expect(stderr.read()).toBeNull()
})

test('a line is never longer than the terminal is wide, so that the next can be drawn over it', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 40 })
  const progress = showProgress('waiting for mcp-server-everything', { stderr })
  vi.advanceTimersByTime(12_000)
  const lines = String(stderr.read()).split('\r\u001b[2K')
  progress.stop()

  expect(lines.filter((line) => line.length >= 40)).toEqual([])
  expect(lines.at(-1)).toBe('waiting for mcp-server-everythi… · 12 s')
})

test('while somebody is asked nothing is drawn, and then time is counted anew', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const progress = showProgress('waiting for travel', { stderr })
  vi.advanceTimersByTime(3000)
  progress.makeRoom(true)
  const before = String(stderr.read())
  vi.advanceTimersByTime(60_000)
  const meanwhile: unknown = stderr.read()
  progress.makeRoom(false)
  vi.advanceTimersByTime(2000)
  const after = String(stderr.read())
  progress.stop()

  expect([before.endsWith('\r\u001b[2K'), meanwhile, after.split('\r\u001b[2K').at(-1)]).toEqual([true, null, 'waiting for travel · 2 s'])
})
