import { expect, test } from 'vitest'
import { sayUnnamed } from './say-unnamed.ts'

test('folders that the config has for a name which nobody gave to this server are pointed at', () => {
  const target = { kind: 'stdio', command: 'node', args: ['files.js'] } as const
  const config = { roots: new Map([['files', [{ path: '/w' }]]]) }
  const said = [true, false].flatMap((named) => ['files', 'other'].map((name) => sayUnnamed({ name, named, target }, config)))

  expect(said).toEqual([[], [], [expect.stringContaining('add --name files')], []])
})
