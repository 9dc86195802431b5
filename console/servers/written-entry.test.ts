import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShownServerEntry } from '../../src/console-api/contract.ts'
import { entryOf, unshowable, writtenEntry } from './written-entry.ts'

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '=', ':', '"', '한'), maxLength: 4 })
const values = fc.array(fc.record({ name: text, value: fc.constantFrom('${TOKEN}', 'Bearer ${TOKEN}') }, { requiredKeys: ['name'] }), { maxLength: 3 })
const entry: fc.Arbitrary<ShownServerEntry> = fc.oneof(
  fc.record({ kind: fc.constant('stdio' as const), command: text, args: fc.array(text, { maxLength: 4 }), env: values, disabled: fc.constant(false) }),
  fc.record({ kind: fc.constant('http' as const), url: text, headers: values, disabled: fc.constant(false) }),
)

test('an entry that nobody touched goes back as it was, whatever stands in it', () => {
  fc.assert(
    fc.property(entry, (one) => {
      const { disabled: _, ...before } = one

      expect(entryOf(writtenEntry(one), one)).toEqual(before)
    }),
    { numRuns: 1_000 },
  )
})

test('a field that can be written in gives back what it shows', () => {
  fc.assert(
    fc.property(entry, (one) => {
      fc.pre(!unshowable(one).args && !unshowable(one).values)
      const back = entryOf(writtenEntry(one))

      expect([back.kind === 'stdio' && back.args, back.kind === 'stdio' ? back.env : back.headers]).toEqual([
        one.kind === 'stdio' && one.args,
        one.kind === 'stdio' ? one.env : one.headers,
      ])
    }),
    { numRuns: 1_000 },
  )
})

test.each([[['-c', 'import x\nx.run()']], [['']], [['a\r']]])('arguments like %j are not to be written in, and stay where the command is changed', (args) => {
  const before = { kind: 'stdio', command: 'python', args, env: [], disabled: false } as const

  expect([unshowable(before).args, entryOf({ ...writtenEntry(before), command: 'python3' }, before)]).toEqual([
    true,
    { kind: 'stdio', command: 'python3', args, env: [] },
  ])
})
