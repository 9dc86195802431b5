import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readClientFile, replaceClientFile } from './client-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-client-'))
  file = join(folder, 'mcp.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file that is not there is nothing, and no fault', async () => {
  expect([await readClientFile(file), await readClientFile(join(folder, 'a', 'b'))]).toEqual([undefined, undefined])
})

test.skipIf(process.platform === 'win32')('a file keeps its permissions and its link, and nothing is left beside it', async () => {
  mkdirSync(join(folder, 'dotfiles'))
  writeFileSync(join(folder, 'dotfiles', 'mcp.json'), '\uFEFFold\r\n')
  chmodSync(join(folder, 'dotfiles', 'mcp.json'), 0o640)
  symlinkSync('dotfiles/mcp.json', file)
  const read = (await readClientFile(file))!

  expect(await replaceClientFile(read, read.text.replace('old', 'new'))).toBe('written')
  expect([lstatSync(file).isSymbolicLink(), readFileSync(file, 'utf8'), statSync(file).mode & 0o777, readdirSync(join(folder, 'dotfiles'))]).toEqual([
    true,
    '\uFEFFnew\r\n',
    0o640,
    ['mcp.json'],
  ])
})

test('a file that was changed since it was read stays as it is', async () => {
  writeFileSync(file, '{}')
  const read = (await readClientFile(file))!
  writeFileSync(file, '{ }')

  expect([await replaceClientFile(read, 'ours'), readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['changed', '{ }', ['mcp.json']])
})

test('a file that was taken away since stays away', async () => {
  writeFileSync(file, '{}')
  const read = (await readClientFile(file))!
  rmSync(file)

  expect([await replaceClientFile(read, 'ours'), readdirSync(folder)]).toEqual(['changed', []])
})

test.skipIf(process.platform === 'win32')('a pipe or a link that somebody puts there meanwhile is not written to, and nobody waits for it', async () => {
  writeFileSync(file, '{}')
  const read = (await readClientFile(file))!
  rmSync(file)
  execFileSync('mkfifo', [file])
  const pipe = await replaceClientFile(read, 'ours')
  await expect(readClientFile(file)).rejects.toThrow('is no file')
  rmSync(file)
  writeFileSync(join(folder, 'other'), '{}')
  symlinkSync('other', file)

  expect([pipe, await replaceClientFile(read, 'ours')]).toEqual(['changed', 'changed'])
  expect([lstatSync(file).isSymbolicLink(), readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([true, '{}', ['mcp.json', 'other']])
})

test('what is done before and after happens while nobody else writes, and not at all where nothing is written', async () => {
  writeFileSync(file, 'old')
  const read = (await readClientFile(file))!
  const seen: unknown[] = []
  const look = async (): Promise<void> => void seen.push(readFileSync(file, 'utf8'), existsSync(`${file}.lock`))

  expect([await replaceClientFile(read, 'new', { before: look, after: look }), await replaceClientFile(read, 'newer', { before: look, after: look })]).toEqual([
    'written',
    'changed',
  ])
  expect([seen, readdirSync(folder)]).toEqual([['old', true, 'new', true], ['mcp.json']])
})

test('what could not be put back as it was is refused', async () => {
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]))
  await expect(readClientFile(file)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: `${file} is not UTF-8 text` })
  await expect(readClientFile(folder)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  writeFileSync(join(folder, 'one'), '{}')
  linkSync(join(folder, 'one'), join(folder, 'two'))
  await expect(readClientFile(join(folder, 'one'))).rejects.toThrow('hard links')
})

test('a lock of another program is waited for', async () => {
  writeFileSync(file, 'old')
  const read = (await readClientFile(file))!
  mkdirSync(`${file}.lock`)
  const writing = replaceClientFile(read, 'new')
  const early = await Promise.race([writing, new Promise((resolve) => setImmediate(resolve, 'waits'))])
  rmSync(`${file}.lock`, { recursive: true })

  expect([early, await writing, readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['waits', 'written', 'new', ['mcp.json']])
})

test('a lock that a dead program left is taken away', async () => {
  writeFileSync(file, 'old')
  const read = (await readClientFile(file))!
  mkdirSync(`${file}.lock`)
  utimesSync(`${file}.lock`, 1, 1)

  expect([await replaceClientFile(read, 'new'), readdirSync(folder)]).toEqual(['written', ['mcp.json']])
})
