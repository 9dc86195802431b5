import { expect, test } from 'vitest'
import { fillTemplate, listDays } from './itineraries.ts'

const trip = { client: 'the Moreno sisters', destination: 'Rome', from: '2027-05-30', to: '2027-06-01' }

test('a template is filled, with one part for each day', () => {
  const template =
    '---\nkind: template\nclient: $client\n---\n\n# $destination, $nights nights\n\n<!-- each day -->\n\n## $number. $day\n\n<!-- end -->\n\n$from to $to, $later\n'

  expect(fillTemplate(template, trip)).toBe(
    '---\nkind: itinerary\nclient: the Moreno sisters\n---\n\n# Rome, 2 nights\n\n## 1. Sunday 30 May\n\n## 2. Monday 31 May\n\n## 3. Tuesday 1 June\n\n2027-05-30 to 2027-06-01, $later\n',
  )
})

test('a value that looks like a placeholder, or like a pattern, stays what it is', () => {
  expect(fillTemplate('$client\n', { ...trip, client: '$destination $& $1' })).toBe('$destination $& $1\n')
})

test.each([
  { from: '2027-06-15', to: '2027-06-22', days: 8 },
  { from: '2027-06-15', to: '2027-06-15', days: 1 },
  { from: '2027-06-22', to: '2027-06-15', days: 0 },
  { from: '2027-06-31', to: '2027-07-02', days: 0 },
  { from: '2027-01-01', to: '2027-12-31', days: 0 },
  { from: 'soon', to: 'later', days: 0 },
])('$from to $to is $days days', ({ from, to, days }) => {
  expect(listDays({ from, to }).length).toBe(days)
})
