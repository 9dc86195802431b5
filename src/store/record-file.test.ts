import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFiles } from './record-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-record-'))
  file = join(folder, 'record')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a record is read as it was written, and is nothing before', () => {
  const before = recordFiles.read(file)
  recordFiles.write(file, '{"position":1}')
  expect([before, recordFiles.read(file)?.trim()]).toEqual([undefined, '{"position":1}'])
})

test('nothing of a longer text stays behind a shorter one', () => {
  writeFileSync(file, 'x'.repeat(200))
  recordFiles.write(file, 'short')
  expect(readFileSync(file, 'utf8')).toBe(`${'short'.padEnd(255)}\n`)
})

test.skipIf(process.platform === 'win32')('a record is for the user alone', () => {
  recordFiles.write(file, 'a')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})

test.skipIf(process.platform === 'win32')('what is no regular file is refused, and not waited for', () => {
  execFileSync('mkfifo', [file])
  const refused = expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: `${file} is no regular file: move it away` })
  expect(() => recordFiles.read(file)).toThrow(refused)
  expect(() => recordFiles.write(file, 'a')).toThrow(refused)
})

test('a text that is too long is refused before anything is written', () => {
  recordFiles.write(file, 'old')
  expect(() => recordFiles.write(file, 'é'.repeat(200))).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  expect(recordFiles.read(file)?.trim()).toBe('old')
})

test('of a burst of texts the last one stays', async () => {
  for (let number = 1; number <= 1000; number += 1) recordFiles.write(file, String(number))
  await new Promise((resolve) => setTimeout(resolve, 60))
  recordFiles.write(file, 'after it')
  expect(recordFiles.read(file)?.trim()).toBe('after it')
})
