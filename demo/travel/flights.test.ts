import { expect, test } from 'vitest'
import { airlines, describeFlight, flights } from './flights.ts'

test('there are 47 flights, each with a number of its own', () => {
  expect(flights.length).toBe(47)
  expect(new Set(flights.map(({ number }) => number)).size).toBe(47)
})

test('every flight lands when its duration and the six hours to Barcelona say', () => {
  const wrong = flights.filter(({ departs, arrives, minutes }) => {
    const [clock = '', days = '0'] = arrives.split(' +')
    return minutesOf(departs) + minutes + 360 !== minutesOf(clock) + Number(days) * 1440
  })

  expect(wrong).toEqual([])
})

test('waiting is shorter than the whole way, and there are never more than two layovers', () => {
  const wrong = flights.filter(
    ({ layovers, minutes }) => layovers.length > 2 || layovers.reduce((sum, layover) => sum + minutesOf(layover.slice(4)), 0) >= minutes - 400,
  )

  expect(wrong).toEqual([])
})

test('morning departures with at most one layover exist, and are a choice', () => {
  const fitting = flights.filter(({ departs, layovers }) => departs < '12:00' && layovers.length <= 1)

  expect(fitting.length).toBe(12)
})

test('several airlines fly there', () => {
  expect(airlines.length).toBe(8)
})

test('a flight is described in one line', () => {
  expect(flights.slice(0, 1).map(describeFlight)).toEqual(['CTB685 Cantabria: JFK 06:15 -> BCN 21:55, 9 h 40 min, 1 layover (LIS 1:00), $593'])
})

function minutesOf(clock: string): number {
  const [hours = '', minutes = ''] = clock.split(':')
  return Number(hours) * 60 + Number(minutes)
}
