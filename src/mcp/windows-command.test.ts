import { expect, test } from 'vitest'
import { windowsCommand } from './windows-command.ts'

const env = { Path: 'C:\\Windows;C:\\Program Files\\nodejs', PATHEXT: '.COM;.EXE;.BAT;.CMD', COMSPEC: 'C:\\Windows\\system32\\cmd.exe' }
const onDisk = (...paths: readonly string[]) => ({ env, exists: (path: string): boolean => paths.includes(path) })

test('a program is started as it is', () => {
  expect(windowsCommand('node', ['a b', '%PATH%'], onDisk('C:\\Program Files\\nodejs\\node.exe'))).toEqual({
    command: 'C:\\Program Files\\nodejs\\node.exe',
    args: ['a b', '%PATH%'],
    verbatim: false,
  })
})

test('npx, which is a .cmd, is started through cmd.exe with everything quoted twice', () => {
  const line = windowsCommand('npx', ['-y', 'pkg'], onDisk('C:\\Program Files\\nodejs\\npx.cmd'))

  expect(line).toEqual({
    command: 'C:\\Windows\\system32\\cmd.exe',
    args: ['/d', '/s', '/c', String.raw`"^"C:\Program^ Files\nodejs\npx.cmd^" ^^^"-y^^^" ^^^"pkg^^^""`],
    verbatim: true,
  })
})

test.each(['a&calc.exe', '"&calc', '%COMSPEC%', 'a|b>c<d', '^', '!x!', '\\"&calc&"', 'a b\\'])('the argument %j stays one argument for cmd.exe', (argument) => {
  const { args } = windowsCommand('tool.bat', [argument], onDisk('C:\\Windows\\tool.bat'))
  const line = args.at(-1)!.slice(1, -1)

  // Each pass of cmd.exe takes one caret away; a metacharacter without one would act.
  const once = line.replaceAll(/\^(.)/gs, '$1').replace(/^"[^"]*" /, '')
  expect(line.replaceAll(/\^./gs, '')).not.toMatch(/[&|<>%"!^]/)
  expect(once.replaceAll(/\^./gs, '')).not.toMatch(/[&|<>%"!^]/)
  expect(unquote(once.replaceAll(/\^(.)/gs, '$1'))).toBe(argument)
})

test('a command that is nowhere is left to Windows to complain about', () => {
  expect(windowsCommand('nothing', [], onDisk())).toEqual({ command: 'nothing', args: [], verbatim: false })
})

/** The rules by which a Windows program reads one quoted argument. */
function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/(\\+)(?="|$)/g, (slashes) => slashes.slice(0, slashes.length >> 1) + (slashes.length % 2 ? '\\' : ''))
    .replaceAll(/\\?"/g, '"')
}
