import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNodeDisk } from './node-disk.ts'

const disk = openNodeDisk()
let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'node-disk-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('two names of one folder have one identity, and another folder has its own', async () => {
  mkdirSync(join(folder, 'one'))
  mkdirSync(join(folder, 'two'))
  symlinkSync('one', join(folder, 'link'))

  const [one, link, two] = await Promise.all(['one', 'link', 'two'].map((name) => disk.inspect(join(folder, name))))

  expect(link).toEqual(one)
  expect(two).not.toEqual(one)
  expect(await disk.look(join(folder, 'link'))).toEqual({ kind: 'link', target: 'one' })
  expect(await disk.realPath(join(folder, 'link'))).toBe(join(folder, 'one'))
})

test('what is not there is missing, what leads nowhere has failed', async () => {
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('ring', join(folder, 'ring'))

  const kinds = await Promise.all(['none', 'file/below', 'ring', 'n'.repeat(300)].map(async (name) => (await disk.inspect(join(folder, name))).kind))

  expect(kinds).toEqual(['missing', 'failed', 'failed', 'failed'])
  expect(await disk.realPath(join(folder, 'none'))).toBeUndefined()
  expect(await disk.list(join(folder, 'file'))).toBeUndefined()
})

test('a hard link is the same object under a second name', async () => {
  writeFileSync(join(folder, 'a'), 'text')
  linkSync(join(folder, 'a'), join(folder, 'b'))

  expect(await disk.inspect(join(folder, 'b'))).toEqual(await disk.inspect(join(folder, 'a')))
})

test('only small files are read, and a pipe never makes us wait', async () => {
  writeFileSync(join(folder, 'small'), '\ufeffgrün')
  writeFileSync(join(folder, 'large'), 'x'.repeat(101))
  execFileSync('mkfifo', [join(folder, 'pipe')])

  const texts = await Promise.all(['small', 'large', 'pipe', 'none', '.'].map((name) => disk.readText(join(folder, name), 100)))

  expect(texts).toEqual(['grün', undefined, undefined, undefined, undefined])
})

test('names and kinds are told as they are', async () => {
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'ü.txt'), '')

  expect([...((await disk.list(folder)) ?? [])].toSorted()).toEqual(['sub', 'ü.txt'])
  expect([await disk.canRead(join(folder, 'sub'), 'folder'), await disk.canRead(join(folder, 'ü.txt'), 'file')]).toEqual([true, true])
})

test('a folder that was made anew is told apart from the one before, though it got the same inode', async () => {
  const path = join(folder, 'again')
  mkdirSync(path)
  const before = await disk.inspect(path)
  rmSync(path, { recursive: true })
  await new Promise((resolve) => setTimeout(resolve, 20))
  mkdirSync(path)
  const after = await disk.inspect(path)
  writeFileSync(join(path, 'file'), '')

  expect(after).not.toEqual(before)
  const { born } = after as { born?: string }
  expect(await disk.inspect(path)).toMatchObject({ born })
})
