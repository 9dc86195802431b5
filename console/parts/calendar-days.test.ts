import { expect, test } from 'vitest'
import { addDays, addMonths, isDay, sayDay, startOfWeek, weeksOf } from './calendar-days.ts'

test.each([
  ['2026-02-28', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['0000-01-01', true],
  ['2026-01-01T00', false],
  ['', false],
])('%s is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

test('days and months are counted over their ends, also in a leap year', () => {
  expect([addDays('2024-02-28', 1), addDays('2026-01-01', -1), addMonths('2026-01-31', 1), addMonths('2026-03-31', -1), addMonths('2026-12-15', 1)]).toEqual([
    '2024-02-29',
    '2025-12-31',
    '2026-02-28',
    '2026-02-28',
    '2027-01-15',
  ])
})

test('a month is its weeks, which begin where they begin in the language', () => {
  const [fromSunday, fromMonday] = [weeksOf('2026-02-10', 7), weeksOf('2026-08-31', 1)]

  expect([fromSunday.length, fromSunday[0]?.[0], fromSunday.at(-1)!.at(-1)]).toEqual([4, '2026-02-01', '2026-02-28'])
  expect([fromMonday.length, fromMonday[0]?.[0], fromMonday.at(-1)!.at(-1)]).toEqual([6, '2026-07-27', '2026-09-06'])
  expect([startOfWeek('2026-11-30', 1), startOfWeek('2026-11-30', 7)]).toEqual(['2026-11-30', '2026-11-29'])
})

test('a day is said in the language of the console', () => {
  expect(['en', 'ko', 'zh-CN'].map((language) => sayDay('2026-03-01', language, { year: 'numeric', month: 'long' }))).toEqual([
    'March 2026',
    '2026년 3월',
    '2026年3月',
  ])
})
