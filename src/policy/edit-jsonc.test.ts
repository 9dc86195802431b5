import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../protocol/index.ts'
import { removeElement, removeMember, setFirst, setJsonc, swapElements } from './edit-jsonc.ts'
import { readJsonc } from './read-jsonc.ts'

type Members = Readonly<Record<string, Json>>

/** Writes a value with what comes next between any two tokens. */
function write(value: Json, gap: () => string, trailing: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = (Array.isArray(value) ? value.entries() : Object.entries(value as Members)) as Iterable<readonly [string | number, Json]>
  const written = [...inner].map(([key, member]) => {
    const name = typeof key === 'string' ? `${JSON.stringify(key)}${gap()}:${gap()}` : ''
    return `${gap()}${name}${write(member, gap, trailing)}${gap()}`
  })
  return `${open}${written.join(',')}${trailing && written.length > 0 ? `,${gap()}` : gap()}${close}`
}

/** A document with a comment, of either kind, in every place that can have one. */
const document = fc
  .record({
    servers: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.record({ command: fc.constant('x'), args: fc.constantFrom<Json>(['y'], [], ['x', 'z']), env: fc.constant({ E: '1' }) }, { requiredKeys: [] }),
    ),
    rules: fc.array(fc.record({ server: fc.constantFrom('a', 'b') }), { maxLength: 4 }),
    gaps: fc.array(fc.constantFrom('', ' ', '\n  ', '//', '/*', '\n//', '\n/*'), { minLength: 5, maxLength: 40 }),
    trailing: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ servers, rules, gaps, trailing, eol }) => {
    let count = 0
    const gap = (): string => {
      const kind = gaps[count % gaps.length]!
      count += 1
      return kind.endsWith('//') ? `${kind}<${count}>\n` : kind.endsWith('/*') ? `${kind}<${count}>*/` : kind
    }
    return { servers: servers, rules: rules, text: write({ servers, rules }, gap, trailing).replaceAll('\n', eol) }
  })

const commentsIn = (text: string): readonly string[] => [...text.matchAll(/<\d+>/gu)].map(([comment]) => comment)
const valueIn = (text: string): unknown => JSON.parse(JSON.stringify(readJsonc(text, 'test.jsonc', 'CONFIG_INVALID').value))

/** Those in a value that is taken out go with it: how many may go, at most. */
function insideOf(text: string, without: string): number {
  return commentsIn(text).length - commentsIn(without).length
}

test('whatever is added or changed, every comment stays, in its order', () => {
  fc.assert(
    fc.property(document, fc.constantFrom('a', 'b', 'new'), fc.nat(), ({ servers, rules, text }, name, place) => {
      const index = rules.length === 0 ? 0 : place % rules.length
      const other = (index + 1) % Math.max(1, rules.length)
      const swapped = rules.with === undefined || rules.length === 0 ? rules : rules.with(index, rules[other]!).with(other, rules[index]!)
      const entry = { ...(servers[name] as Members | undefined), cwd: '/n', args: ['y', 'z'] }
      const disabled = { ...(servers[name] as Members | undefined), disabled: true }

      for (const [changed, expected] of [
        [setJsonc(text, ['servers', name], entry), { servers: { ...servers, [name]: entry }, rules }],
        [setJsonc(text, ['servers', name, 'disabled'], true), { servers: { ...servers, [name]: disabled }, rules }],
        [setJsonc(text, ['rules', rules.length], 'n'), { servers, rules: [...rules, 'n'] }],
        [setFirst(text, ['rules'], 'n'), { servers, rules: ['n', ...rules] }],
        [setJsonc(text, ['more'], 1), { servers, rules, more: 1 }],
      ] as const) {
        expect([valueIn(changed), commentsIn(changed)]).toEqual([expected, commentsIn(text)])
      }
      const moved = swapElements(text, ['rules'], index, other)
      expect([valueIn(moved), commentsIn(moved).toSorted()]).toEqual([{ servers, rules: swapped }, commentsIn(text).toSorted()])
    }),
    { numRuns: 500 },
  )
})

test('whatever is taken out, every comment that is not inside it stays, in its order', () => {
  fc.assert(
    fc.property(document, fc.constantFrom('a', 'b'), fc.nat(), ({ servers, rules, text }, name, place) => {
      const index = rules.length === 0 ? 0 : place % rules.length
      const { [name]: _gone, ...left } = servers
      const withoutServer = removeMember(text, ['servers', name])
      const withoutRule = removeElement(text, ['rules'], index)

      expect(valueIn(withoutServer)).toEqual({ servers: left, rules })
      expect(valueIn(withoutRule)).toEqual({ servers, rules: rules.filter((_, at) => at !== index) })
      for (const [changed, path] of [
        [withoutServer, ['servers', name]],
        [withoutRule, ['rules', index]],
      ] as const) {
        const kept = new Set(commentsIn(changed))
        expect(commentsIn(text).filter((comment) => kept.has(comment))).toEqual(commentsIn(changed))
        expect(insideOf(text, changed)).toBe(commentsInside(text, path))
      }
    }),
    { numRuns: 500 },
  )
})

/** How many comments stand in a value, found by writing another in its place. */
function commentsInside(text: string, path: readonly [string, string | number]): number {
  const document = readJsonc(text, 'test.jsonc', 'CONFIG_INVALID')
  const list = (document.value as Readonly<Record<string, Readonly<Record<string, Json>>>>)[path[0]]!
  if (!Object.hasOwn(list, path[1])) return 0
  const { line, column } = document.positionOf(path)
  const start =
    text
      .split('\n')
      .slice(0, line - 1)
      .reduce((sum, one) => sum + one.length + 1, 0) +
    column -
    1
  let depth = 0
  let isOpen = false
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') [depth, isOpen] = [depth + 1, true]
    if (text[at] === '}') depth -= 1
    if (isOpen && depth === 0) return commentsIn(text.slice(start, at)).length
  }
  return 0
}

test.each([
  ['[ // why\n  1\n]', '[ // why\n  0,\n  1\n]'],
  ['[1]', '[0, 1]'],
  ['[ /* none */ ]', '[ /* none */ 0 ]'],
  ['[ // none\n]', '[ // none\n  0\n]'],
])('before all others of %j: %j', (before, after) => {
  expect(setFirst(before, [], 0)).toBe(after)
})

test('a comment behind an entry stays with it when another is added, and one about it stays when its neighbour goes', () => {
  const text = '{\n  "a": 1, // about a\n  // "old": 1,\n  "b": 2 // about b\n}\n'

  expect([setJsonc(text, ['c'], 3), removeMember(text, ['a']), removeMember(text, ['b'])]).toEqual([
    '{\n  "a": 1, // about a\n  // "old": 1,\n  "b": 2, // about b\n  "c": 3\n}\n',
    '{\n   // about a\n  // "old": 1,\n  "b": 2 // about b\n}\n',
    '{\n  "a": 1 // about a\n  // "old": 1,\n   // about b\n}\n',
  ])
})
