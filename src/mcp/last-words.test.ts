import { expect, test } from 'vitest'
import { lastWords } from './last-words.ts'

const requires = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`

test('a module that is missing is named, whatever is printed after it', () => {
  expect(lastWords(requires).split('\n')[0]).toBe("Error: Cannot find module '/srv/server.js'")
})

test.each([
  [
    'Traceback (most recent call last):\n  File "server.py", line 1, in <module>\n    import mcp\nModuleNotFoundError: No module named \'mcp\'\n',
    'No module named',
  ],
  [`npm error code E404\nnpm error 404 Not Found\n${'npm notice\n'.repeat(9)}`, 'npm error 404 Not Found'],
  [`Error: port 80 is taken\n${'    at listen (server.js:1:1)\n'.repeat(30)}`, 'port 80 is taken'],
])('the line that says what is wrong is in it: %j', (stderr, telling) => {
  expect(lastWords(stderr)).toContain(telling)
})

test('without such a line it is the end', () => {
  expect([lastWords('1\n2\n3\n4\n5\n6\r\n'), lastWords(''), lastWords('\n\n')]).toEqual(['2\n3\n4\n5\n6', '', ''])
})

const notice = 'consentry: nobody can be asked here (no --answers FILE), so that the server is not offered: forms, pages to visit, completions\n'

test.each([
  ['it is said first', `${notice}${requires}`],
  ['it is said meanwhile', requires.replace('\nNode', `\n${notice}Node`)],
  ['it says more', `consentry: a: the folder /srv is not there\n  | yet\n${notice}${requires}`],
])('behind a wrap of ours the reason is the own one of the server, where %s', (_, stderr) => {
  expect(lastWords(stderr)).toBe(lastWords(requires))
})

test('what ends a wrap of ours itself is said after what the server said, and a server that said nothing gets no words of ours', () => {
  const fault = 'consentry: a: a message is longer than 64 MB'
  expect([lastWords(`${notice}hello\n${fault}\n`), lastWords(`${notice}${fault}\n`), lastWords(notice)]).toEqual([`hello\n${fault}`, fault, ''])
})
