import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRoot, removeRoot, setAlwaysAsk, setRootMapping } from './edit-config.ts'
import { parseConfig } from './parse-config.ts'

const edited = { file: 'config.jsonc', home: '/home/ada', directory: '/', platform: 'posix' } as const
const add = (text: string | undefined, server: string, path: string, name?: string): string => addRoot(text, { server, path, name }, edited)
const remove = (text: string | undefined, server: string, path: string): string => removeRoot(text, { server, path }, edited)

const commented = `// mine
{
  "roots": {
    // for travel
    "travel": [ // two
      { "path": "/a" }, // first
      { "path": "~/b", "name": "B" } // second
    ]
  }, /* end */
}
`

test('a folder goes behind the others, and every comment stays', () => {
  expect(add(commented, 'travel', '/c', 'C')).toBe(commented.replace('"B" } // second', '"B" }, // second\n      { "path": "/c", "name": "C" }'))
})

test('a new server goes behind the others', () => {
  expect(add(commented, '*', '/c')).toBe(commented.replace('second\n    ]', 'second\n    ],\n    "*": [{ "path": "/c" }]'))
})

test.each([
  [undefined, '{\n  "roots": {\n    "x": [\n      {\n        "path": "/a"\n      }\n    ]\n  }\n}\n'],
  ['{ "models": [] }', '{ "models": [], "roots": { "x": [{ "path": "/a" }] } }'],
  ['{"roots":{"x":[{"path":"/b"},]}}', '{"roots":{"x":[{"path":"/b"}, { "path": "/a" },]}}'],
  ['\uFEFF{\r\n\t"roots": {\r\n\t\t"y": [],\r\n\t},\r\n}\r\n', '\uFEFF{\r\n\t"roots": {\r\n\t\t"y": [],\r\n\t\t"x": [{ "path": "/a" }],\r\n\t},\r\n}\r\n'],
])('into %j a folder is written in the style of the file', (text, changed) => {
  expect(add(text, 'x', '/a')).toBe(changed)
})

test('a folder that is there already is not added again, but can get a name', () => {
  expect([add(commented, 'travel', '/home/ada/b'), add(commented, 'travel', '/a', 'A')]).toEqual([
    commented,
    commented.replace('"/a" }', '"/a", "name": "A" }'),
  ])
})

test('a folder is taken out with its line, and every comment stays', () => {
  expect([remove(commented, 'travel', '/a'), remove(commented, 'travel', '/home/ada/b')]).toEqual([
    commented.replace('      { "path": "/a" }, // first', '       // first'),
    commented.replace('"/a" },', '"/a" }').replace('{ "path": "~/b", "name": "B" } //', ' //'),
  ])
})

test.each([
  ['{"roots":{"x":[{"path":"/a"}]}}', '{}'],
  ['{"roots":{"x":[{"path":"/a"}],"y":[]},"models":[]}', '{"roots":{"y":[]},"models":[]}'],
  ['{"roots":{"x":[{"path":"/a"} /* mine */]}}', '{"roots":{"x":[ /* mine */]}}'],
  ['{"roots":{"x":[{"path":"/a"},{"path":"/b"},{"path":"/a"}]}}', '{"roots":{"x":[{"path":"/b"}]}}'],
  ['{\n"roots":{"x":[\n  {"path":"/a"},\n  {"path":"/b"}\n]}}', '{\n"roots":{"x":[\n  {"path":"/b"}\n]}}'],
  ['{\n"roots":{"x":[\n  {"path":"/b"},\n  {"path":"/a"}\n]}}', '{\n"roots":{"x":[\n  {"path":"/b"}\n]}}'],
  ['{"roots":{"y":[{"path":"/a"}]}}', '{"roots":{"y":[{"path":"/a"}]}}'],
])('out of %j it is taken wherever it stands', (text, changed) => {
  expect(remove(text, 'x', '/a')).toBe(changed)
})

test.each(['/a/', '//a', '/x/../a', '/./a', '~/../../a', '/a'])('%s is the folder /a: it is not added again, and is taken out with it', (spelling) => {
  const text = JSON.stringify({ roots: { x: [{ path: spelling }, { path: '/b' }, { path: '/a' }] } })
  const left = removeRoot(text, { server: 'x', path: '/a' }, edited)
  const added = addRoot(text, { server: 'x', path: '/a' }, edited)
  const gone = removeRoot(text, { server: 'x', path: spelling }, edited)

  const only = [{ path: '/b' }]
  expect([left, gone].map((one) => parseConfig(one, 'config.jsonc', edited).roots.get('x'))).toEqual([only, only])
  expect(added).toBe(text)
})

test('a server’s name for a folder is added, replaced, and never written twice', () => {
  const map = (text: string | undefined, uri: string): string => setRootMapping(text, { server: 'box', path: '/srv', uri }, edited)
  const first = map(commented, 'file:///workspace/')
  const second = map(first, 'file:///data')

  expect([first, second].map((text) => parseConfig(text, 'config.jsonc', edited).rootMappings.get('box'))).toEqual([
    [{ path: '/srv', uri: 'file:///workspace' }],
    [{ path: '/srv', uri: 'file:///data' }],
  ])
  expect([map(first, 'file:///workspace'), second.includes('// second'), second.match(/srv/g)]).toEqual([first, true, ['srv']])
  expect(() => map(undefined, '/workspace')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

test('"always ask me" is switched on and off', () => {
  const on = setAlwaysAsk(commented, true, edited)
  expect([parseConfig(on, 'config.jsonc', edited).alwaysAsk, setAlwaysAsk(on, true, edited), on.includes('// second')]).toEqual([true, on, true])
})

test('a broken file is never written over', () => {
  expect(() => add('{ "rootz": 1 }', 'x', '/a')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(() => add('{}', 'x', 'relative')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

test('whatever is added and removed, the file says exactly that', () => {
  const step = fc.record({ adds: fc.boolean(), server: fc.constantFrom('*', 'x', '__proto__', '한'), path: fc.constantFrom('/a', '/b', '/c "d"', '/é//*') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.constantFrom(undefined, commented, '{}', '{"roots":{"x":[ /* none */ ]}}'), (steps, start) => {
      const wanted = new Map<string, string[]>()
      let text: string | undefined = start
      for (const [server, entries] of parseConfig(start ?? '{}', 'c', edited).roots)
        wanted.set(
          server,
          entries.map(({ path }) => path),
        )
      for (const { adds, server, path } of steps) {
        text = adds ? add(text, server, path) : remove(text, server, path)
        const others = (wanted.get(server) ?? []).filter((other) => other !== path)
        const isThere = others.length < (wanted.get(server) ?? []).length
        if (adds && !isThere) wanted.set(server, [...others, path])
        if (!adds && isThere) wanted.set(server, others)
      }
      const found = parseConfig(text ?? '{}', 'c', edited).roots
      const filled = (lists: Iterable<readonly [string, readonly string[]]>): unknown => new Map([...lists].filter(([, list]) => list.length > 0))
      expect(filled([...found].map(([server, entries]) => [server, entries.map(({ path }) => path)] as const))).toEqual(filled(wanted))
    }),
  )
})
