import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordFiles } from './record-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-record-'))
  file = join(folder, 'record')
})
afterEach(() => {
  recordFiles.close(file)
  rmSync(folder, { recursive: true })
})

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

test('what others write in its place is read', () => {
  recordFiles.write(file, 'ours')
  writeFileSync(file, 'theirs')
  expect(recordFiles.read(file)).toBe('theirs')
})

test.each([
  ['replaced', () => renameSync(other(), file)],
  ['moved away', () => renameSync(file, join(folder, 'elsewhere'))],
  ['removed', () => rmSync(file)],
])('a record that was %s is written where it belongs, and not where it went', (_, change) => {
  recordFiles.write(file, 'ours')
  change()
  const before = recordFiles.read(file)
  recordFiles.write(file, 'anew')
  expect([before === 'ours', readFileSync(file, 'utf8').trim()]).toEqual([false, 'anew'])
})

test.runIf(process.platform === 'linux')(
  'a record that is closed is let go of as soon as it is on the disk, also one that was replaced in a burst',
  async () => {
    for (const text of ['a', 'b', 'c']) {
      recordFiles.write(file, text)
      renameSync(other(), file)
      recordFiles.write(file, text)
    }
    recordFiles.close(file)
    await vi.waitFor(() => expect(readdirSync('/proc/self/fd').filter((handle) => isHeld(handle))).toEqual([]))
  },
)

function other(): string {
  const path = join(folder, 'other')
  writeFileSync(path, 'theirs')
  return path
}

function isHeld(handle: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`).startsWith(folder)
  } catch {
    // The one that the list itself was read with.
    return false
  }
}
