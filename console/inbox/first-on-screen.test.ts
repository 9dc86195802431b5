import { expect, test } from 'vitest'
import type { DeskView } from '../desk/desk-view.ts'
import { firstOnScreen } from './first-on-screen.ts'

const reviews = new Map([
  ['over', { id: 'over', ended: { outcome: 'timed-out', at: 1 } }],
  ['oldest', { id: 'oldest' }],
  ['newest', { id: 'newest' }],
])
const view = { reviews } as unknown as DeskView

test.each([
  ['', 'oldest'],
  ['#/', 'oldest'],
  ['#/inbox', 'oldest'],
  ['#/inbox/newest', 'newest'],
  ['#/inbox/a%2Fb', 'a/b'],
  ['#/inbox/%', undefined],
  ['#/servers/travel', undefined],
  ['#/inbox/a/b', undefined],
])('the address %j shows %j first', (hash, id) => {
  expect(firstOnScreen(view, hash)).toBe(id)
})

test('nothing is asked ahead while nothing is known', () => {
  expect(firstOnScreen(undefined, '#/inbox/newest')).toBeUndefined()
})
