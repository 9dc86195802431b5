import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRootPath, readRootUri } from './file-uri.ts'
import { pathProblems } from './path-problem.ts'
import type { Platform } from './place.ts'

const seen = (reading: ReturnType<typeof readRootUri>): string => (reading.ok ? reading.uri : reading.problem)

test.each([
  ['file:///home/u/p', 'file:///home/u/p'],
  ['FILE://LOCALHOST/home/u/p/', 'file:///home/u/p'],
  ['file:///home//u///p//', 'file:///home/u/p'],
  ['file:///home/u/%61%2d%7E', 'file:///home/u/a-~'],
  ['file:///home/u/caf%c3%a9', 'file:///home/u/caf%C3%A9'],
  ['file:///home/u/日本', 'file:///home/u/%E6%97%A5%E6%9C%AC'],
  ['file:///home/u/a%5Cb', 'file:///home/u/a%5Cb'],
  ['file:///home/u/..a/.../b..', 'file:///home/u/..a/.../b..'],
  ['file:///home/u/x%2520y', 'file:///home/u/x%2520y'],
  ["file:///home/u/a;b=c&d,e$f!(g)*'+@:", "file:///home/u/a;b=c&d,e$f!(g)*'+@:"],
  ['file:///home/u/[x]{y}', 'file:///home/u/%5Bx%5D%7By%7D'],
  ['http://h/x', 'not-a-file-uri'],
  ['file:/home/u', 'not-a-file-uri'],
  ['/home/u/p', 'not-a-file-uri'],
  ['vscode-remote://wsl%2Bubuntu/home/u/p', 'not-a-file-uri'],
  ['untitled:1', 'not-a-file-uri'],
  [' file:///home/u', 'not-a-file-uri'],
  ['file:///home/u/my app', 'unencoded'],
  ['file:///home/u/a\tb', 'unencoded'],
  ['file:///home/u/a\\b', 'unencoded'],
  ['file:///home/u/a\u00a0b', 'unencoded'],
  ['file:///w/c#', 'query-or-fragment'],
  ['file:///w/a?b', 'query-or-fragment'],
  ['file:///w/100%', 'bad-escape'],
  ['file:///w/%E9', 'bad-escape'],
  ['file:///w/%C0%AF', 'bad-escape'],
  ['file:///w/%ED%A0%80', 'bad-escape'],
  ['file:///w/a%2fb', 'encoded-separator'],
  ['file:///w/../etc', 'dot-segment'],
  ['file:///w/%2e%2E', 'dot-segment'],
  ['file:///w/.', 'dot-segment'],
  ['file:///w/a%00b', 'control-character'],
  ['file:///w/a%C2%85b', 'control-character'],
  ['file:///w/%E2%80%AEgnp', 'control-character'],
  ['file:///w/%E2%81%A7x', 'control-character'],
  ['file:///w/\ud83d', 'not-unicode'],
  ['file:////srv/share', 'double-slash'],
  ['file://localhost//w', 'double-slash'],
  ['file://srv/share', 'foreign-host'],
  ['file://127.0.0.1/w', 'foreign-host'],
  ['file://localhost:80/w', 'bad-host'],
  ['file://u@localhost/w', 'bad-host'],
  ['file://local%68ost/w', 'bad-host'],
  ['file://localhost', 'no-path'],
  ['file:///', 'top-folder'],
  ['file:///C:/Users', 'foreign-drive'],
  ['file:///c%3A/Users', 'foreign-drive'],
  ['file:///C|/Users', 'foreign-drive'],
])('on POSIX the URI %j is read as %j', (text, expected) => {
  expect(seen(readRootUri(text, 'posix'))).toBe(expected)
})

test.each([
  ['file:///c%3A/temp', 'file:///C:/temp'],
  ['file:///C:/temp/', 'file:///C:/temp'],
  ['file:///c:/temp', 'file:///C:/temp'],
  ['file://localhost/C:/x', 'file:///C:/x'],
  ['file://SRV/Share/App', 'file://srv/Share/App'],
  ['file://wsl$/Ubuntu/home', 'file://wsl$/Ubuntu/home'],
  ['file:///C:/PROGRA~1', 'file:///C:/PROGRA~1'],
  ['file:///C:/src/console', 'file:///C:/src/console'],
  ['file:///C:/com10', 'file:///C:/com10'],
  ['file:///C:', 'top-folder'],
  ['file:///C:/', 'top-folder'],
  ['file:///Users/u', 'no-drive'],
  ['file:///C|/Users', 'no-drive'],
  ['file://srv/', 'no-share'],
  ['file://srv/share/a%5Cb', 'encoded-separator'],
  ['file:///C:/a:stream', 'illegal-character'],
  ['file:///C:/a%3Ab', 'illegal-character'],
  ['file:///C:/a%2A', 'illegal-character'],
  ['file:///C:/a.', 'trailing-dot'],
  ['file:///C:/a%20', 'trailing-dot'],
  ['file:///C:/src/CoN', 'device-name'],
  ['file:///C:/nul.txt', 'device-name'],
  ['file:///C:/com%C2%B9.log', 'device-name'],
  ['file:///C:/LPT0', 'device-name'],
  ['file://s!rv/share', 'bad-host'],
])('on Windows the URI %j is read as %j', (text, expected) => {
  expect(seen(readRootUri(text, 'win32'))).toBe(expected)
})

test.each([
  ['posix', '/w/Program Files', 'file:///w/Program%20Files'],
  ['posix', '/w/c#', 'file:///w/c%23'],
  ['posix', '/w/a?b', 'file:///w/a%3Fb'],
  ['posix', '/w/100%', 'file:///w/100%25'],
  ['posix', '/w/x%20y', 'file:///w/x%2520y'],
  ['posix', '/w/ü', 'file:///w/%C3%BC'],
  ['posix', '/w/./app/../lib/', 'file:///w/lib'],
  ['posix', '/../../w', 'file:///w'],
  ['posix', '//w//app', 'file:///w/app'],
  ['posix', '/w/a\\b', 'file:///w/a%5Cb'],
  ['posix', '~', 'file:///home/u'],
  ['posix', '~/app', 'file:///home/u/app'],
  ['posix', '/w/~old', 'file:///w/~old'],
  ['posix', '~eve/app', 'relative'],
  ['posix', 'app', 'relative'],
  ['posix', '', 'empty'],
  ['posix', '/', 'top-folder'],
  ['posix', '/w/..', 'top-folder'],
  ['posix', '/w/a\0b', 'control-character'],
  ['posix', '/w/a\nb', 'control-character'],
  ['posix', '/w/a\u202eb', 'control-character'],
  ['posix', '/w/\udc00', 'not-unicode'],
  ['win32', 'c:/My Files\\100%', 'file:///C:/My%20Files/100%25'],
  ['win32', 'C:\\a\\..\\..\\b', 'file:///C:/b'],
  ['win32', '\\\\SRV\\share\\app', 'file://srv/share/app'],
  ['win32', '\\\\srv\\share\\..\\..\\app', 'file://srv/share/app'],
  ['win32', '\\\\srv\\share', 'file://srv/share'],
  ['win32', '\\\\?\\C:\\app', 'file:///C:/app'],
  ['win32', '\\\\?\\unc\\srv\\share\\app', 'file://srv/share/app'],
  ['win32', '~\\app', 'file:///C:/Users/u/app'],
  ['win32', '\\\\?\\Volume{0}\\app', 'device-path'],
  ['win32', '\\\\.\\PhysicalDrive0', 'device-path'],
  ['win32', '\\\\srv', 'no-share'],
  ['win32', '\\\\srv\\', 'no-share'],
  ['win32', 'C:app', 'drive-relative'],
  ['win32', 'C:', 'drive-relative'],
  ['win32', 'C:\\', 'top-folder'],
  ['win32', '\\Users\\u', 'no-drive'],
  ['win32', 'app', 'relative'],
  ['win32', 'C:\\w\\app:hidden', 'illegal-character'],
  ['win32', 'C:\\w\\...', 'trailing-dot'],
] as const)('under %s rules the path %j is read as %j', (platform, path, expected) => {
  const home = platform === 'posix' ? '/home/u' : 'C:\\Users\\u'

  expect(seen(readRootPath(path, platform, { home }))).toBe(expected)
})

test('without a home folder "~" is no path', () => {
  expect(readRootPath('~/app', 'posix')).toEqual({ ok: false, problem: 'relative', reason: pathProblems.relative })
})

test('every text is read as a canonical URI that reads as itself, or is refused with a reason', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^file:\/\/(localhost)?\/(C:)?[/\\.%a-z0-9 :~#?-]{0,20}$/))
  const check = (given: string, platform: Platform): void => {
    for (const reading of [readRootUri(given, platform), readRootPath(given, platform, { home: '/home/u' })]) {
      if (reading.ok) expect(readRootUri(reading.uri, platform)).toEqual(reading)
      else expect(reading.reason).toBe(pathProblems[reading.problem])
    }
  }

  fc.assert(fc.property(text, fc.constantFrom<Platform>('posix', 'win32'), check))
})

test('what was encoded decodes to the same path, whatever letters the names hold', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !/[/\p{Cc}\p{Bidi_Control}]/u.test(one) && one !== '.' && one !== '..')
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/w/${names.join('/')}`)

  fc.assert(
    fc.property(path, (given) => {
      const reading = readRootPath(given, 'posix')
      const uri = reading.ok ? reading.uri : ''

      expect(uri).toMatch(/^file:\/\/(\/(%[0-9A-F]{2}|[\w.~!$&'()*+,;=:@-])+)+$/)
      expect(readRootUri(uri, 'posix')).toEqual({ ok: true, uri, path: given })
    }),
  )
})
