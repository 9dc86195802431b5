import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { privateFiles } from './private-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file that is not there reads as nothing', async () => {
  expect([await privateFiles.read(join(folder, 'a')), await privateFiles.version(join(folder, 'a'))]).toEqual([undefined, undefined])
})

test('replacing makes folders and leaves nothing else behind', async () => {
  await privateFiles.replace(join(folder, 'x', 'y', 'a'), 'one')
  await privateFiles.replace(join(folder, 'x', 'y', 'a'), 'two')
  expect([readdirSync(join(folder, 'x', 'y')), await privateFiles.read(join(folder, 'x', 'y', 'a'))]).toEqual([['a'], 'two'])
})

test.skipIf(process.platform === 'win32')('files are 0600 and folders 0700', async () => {
  await privateFiles.replace(join(folder, 'x', 'a'), '')
  await privateFiles.create(join(folder, 'y', 'b'))
  expect(['x', 'x/a', 'y', 'y/b'].map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))).toEqual(['700', '600', '700', '600'])
})

test('a version differs after each change, also of the same length', async () => {
  const versions = new Set<string | undefined>()
  for (const text of ['one', 'two', 'six']) {
    await privateFiles.replace(join(folder, 'a'), text)
    versions.add(await privateFiles.version(join(folder, 'a')))
  }
  expect(versions.size).toBe(3)
})

test('creating keeps what is there', async () => {
  writeFileSync(join(folder, 'a'), 'mine')
  await privateFiles.create(join(folder, 'a'))
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('mine')
})

test('no change is lost when many rewrite the same file at once', async () => {
  const file = join(folder, 'a')
  await Promise.all(Array.from({ length: 20 }, (_, index) => privateFiles.rewrite(file, (text = '') => `${text}${index},`)))
  const numbers = (await privateFiles.read(file))?.split(',').slice(0, -1).map(Number)
  expect([numbers?.toSorted((one, other) => one - other), readdirSync(folder)]).toEqual([Array.from({ length: 20 }, (_, index) => index), ['a']])
})

test('what an editor saves between the reading and the writing is changed, and not undone', async () => {
  const file = join(folder, 'edited')
  writeFileSync(file, 'old')
  const seen: (string | undefined)[] = []
  await privateFiles.rewrite(file, (text) => {
    seen.push(text)
    if (seen.length === 1) writeFileSync(file, 'by hand')
    return `${text}, changed`
  })

  expect([seen, readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([['old', 'by hand'], 'by hand, changed', ['edited']])
})

test('a file that never stands still is left as it is, and said to be so', async () => {
  const file = join(folder, 'restless')
  let count = 0
  const writing = privateFiles.rewrite(file, (text = '') => {
    writeFileSync(file, `by hand ${(count += 1)}`)
    return `${text}, changed`
  })

  await expect(writing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(readFileSync(file, 'utf8')).toBe(`by hand ${count}`)
})

test('a change that fails leaves the file, and no lock', async () => {
  writeFileSync(join(folder, 'a'), 'old')
  const failing = privateFiles.rewrite(join(folder, 'a'), () => {
    throw new RangeError('no')
  })
  await expect(failing).rejects.toThrow(RangeError)
  expect([readdirSync(folder), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([['a'], 'old'])
})

test('the lock of a process that died is taken over', async () => {
  writeFileSync(join(folder, 'a.lock'), '')
  utimesSync(join(folder, 'a.lock'), new Date(0), new Date(0))
  await privateFiles.rewrite(join(folder, 'a'), () => 'new')
  expect([readdirSync(folder), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([['a'], 'new'])
})

test('a lock whose time lies ahead blocks nobody', async () => {
  writeFileSync(join(folder, 'a.lock'), '')
  utimesSync(join(folder, 'a.lock'), new Date('2200-01-01'), new Date('2200-01-01'))
  await privateFiles.rewrite(join(folder, 'a'), () => 'new')
  expect([readdirSync(folder), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([['a'], 'new'])
})

test('a lock that cannot be taken away is named', async () => {
  const lock = join(folder, 'a.lock')
  mkdirSync(lock)
  utimesSync(lock, new Date(0), new Date(0))
  const refused = { code: 'STORE_UNAVAILABLE', message: `${lock} is in the way: delete it if no other consentry is running` }
  await expect(privateFiles.rewrite(join(folder, 'a'), () => 'new')).rejects.toMatchObject(refused)
})

test('what is no regular file is never replaced by one', async () => {
  mkdirSync(join(folder, 'a'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe')])
  const before = readdirSync(folder)
  for (const name of before)
    await expect(privateFiles.replace(join(folder, name), 'new')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`${join(folder, name)} is no regular file`),
    })
  expect([readdirSync(folder), before.map((name) => statSync(join(folder, name)).isFile())]).toEqual([before, before.map(() => false)])
})

test.skipIf(process.platform === 'win32')('a pipe or a device in the place of a file is refused at once, and not waited for', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  symlinkSync('/dev/zero', join(folder, 'device'))
  for (const name of ['pipe', 'device'])
    await expect(privateFiles.read(join(folder, name))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`${join(folder, name)} is no regular file`),
    })
})

test('a file that nobody can have written by hand is refused before it is read', async () => {
  writeFileSync(join(folder, 'a'), '')
  truncateSync(join(folder, 'a'), 1024 ** 3)
  await expect(privateFiles.read(join(folder, 'a'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('make it smaller') })
})

test('bytes that are no UTF-8 are refused, and never written back as something else', async () => {
  const file = join(folder, 'a')
  writeFileSync(file, Buffer.from([0x22, 0xff, 0x22]))
  await expect(privateFiles.read(file)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('is not UTF-8') })
  await expect(privateFiles.rewrite(file, (text = '') => text)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect([...readFileSync(file)]).toEqual([0x22, 0xff, 0x22])
})

test.skipIf(process.platform === 'win32')('a link stays a link to the file that is changed', async () => {
  writeFileSync(join(folder, 'dotfile'), 'old')
  symlinkSync(join(folder, 'dotfile'), join(folder, 'config'))
  await privateFiles.rewrite(join(folder, 'config'), () => 'new')
  expect([readFileSync(join(folder, 'dotfile'), 'utf8'), readdirSync(folder)]).toEqual(['new', ['config', 'dotfile']])
})

test('a place that takes no folders is said to be one, and is not tried for ever', async () => {
  writeFileSync(join(folder, 'file'), '')

  await expect(privateFiles.makeFolder(join(folder, 'file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(privateFiles.makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await privateFiles.makeFolder(join(folder, 'a', 'b'))
  await privateFiles.makeFolder(join(folder, 'a', 'b'))
  expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
})

test('a folder that takes no others (/proc) is refused, where Node itself would try for ever', async () => {
  // Where there is no /proc, nobody but root could make one.
  const path = existsSync('/proc') ? '/proc/consentry/state' : join(folder, 'no', '\0')

  await expect(privateFiles.makeFolder(path)).rejects.toHaveProperty('code')
})

test('what a process left behind that was killed while it wrote is taken away, what one writes now is not', async () => {
  const [stale, fresh, other] = ['a.0123456789ab.new', 'a.ba9876543210.new', 'b.0123456789ab.new'].map((name) => join(folder, name))
  for (const draft of [stale, fresh, other]) writeFileSync(draft!, 'half')
  for (const draft of [stale, other]) utimesSync(draft!, new Date(0), new Date(0))
  await privateFiles.replace(join(folder, 'a'), 'text')

  expect(readdirSync(folder).toSorted()).toEqual(['a', 'a.ba9876543210.new', 'b.0123456789ab.new'])
})

test.skipIf(process.platform === 'win32')('a sealed folder takes nothing from its user, and what a link leads to is not sealed', async () => {
  await privateFiles.sealFolder(join(folder, 'sealed'))
  await privateFiles.sealFolder(join(folder, 'sealed'))
  await privateFiles.makeFolder(join(folder, 'open'))
  symlinkSync(join(folder, 'open'), join(folder, 'link'))
  await privateFiles.sealFolder(join(folder, 'link'))

  expect(['sealed', 'open'].map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))).toEqual(['500', '700'])
})
