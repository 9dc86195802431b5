import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDeskFile, removeDeskFile, writeDeskFile } from './desk-file.ts'

const address = { socket: '/s/desk-01234567.sock', key: 'a'.repeat(64), pid: 1, port: 8080 }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-desk-file-'))
  file = join(folder, 'desk.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the address is read as it was written, until its own desk takes it away', async () => {
  await writeDeskFile(file, address)
  await removeDeskFile(file, { ...address, key: 'b'.repeat(64) })
  const read = await readDeskFile(file)
  await removeDeskFile(file, address)

  expect([read, await readDeskFile(file)]).toEqual([address, undefined])
})

test.each(['', '{', '[]', '{"socket":1,"key":"k","pid":1}', '{"socket":"s","key":"k"}'])('%j is no address', async (text) => {
  writeFileSync(file, text)
  expect(await readDeskFile(file)).toBe(undefined)
})

test.skipIf(process.platform === 'win32')('a pipe or a device in its place is no address either, and is not waited for', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  symlinkSync('/dev/zero', join(folder, 'device'))
  expect([await readDeskFile(join(folder, 'pipe')), await readDeskFile(join(folder, 'device'))]).toEqual([undefined, undefined])
})

test('an address that cannot be written is said with its file, and what to do', async () => {
  writeFileSync(join(folder, 'state'), '')
  const error: unknown = await writeDeskFile(join(folder, 'state', 'desk.json'), address).catch((cause: unknown) => cause)

  expect(error).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/desk\.json cannot be written .*on the way there.*CONSENTRY_HOME/) as unknown,
  })
})
