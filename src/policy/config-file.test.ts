import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigFile } from './config-file.ts'
import { addRoot } from './edit-config.ts'

const place = { home: '/home/ada', directory: '/', platform: 'posix' } as const

let folder: string
let file: string
let opened: ConfigFile[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-config-'))
  file = join(folder, 'config.jsonc')
  opened = []
})
afterEach(() => {
  for (const config of opened) config.close()
  rmSync(folder, { recursive: true })
})

async function open(): Promise<ConfigFile> {
  const config = await ConfigFile.open({ file, place, interval: 10 })
  opened.push(config)
  return config
}

/** What is reported next. */
function next(config: ConfigFile): Promise<string> {
  return new Promise((resolve) => {
    const stop = [config.on('changed', ({ rules }) => done(`changed: ${rules.length} rules`)), config.on('broken', ({ message }) => done(`broken: ${message}`))]
    function done(report: string): void {
      for (const each of stop) each()
      resolve(report)
    }
  })
}

const write = (rules: number): void => writeFileSync(file, JSON.stringify({ rules: Array.from({ length: rules }, () => ({ decision: 'deny' })) }))

test('a file that is not there is an empty config, and is taken up when it appears', async () => {
  const config = await open()
  const before = config.current.rules.length
  write(2)
  expect([before, await next(config), config.current.rules.length]).toEqual([0, 'changed: 2 rules', 2])
})

test('a broken file is refused at the start', async () => {
  writeFileSync(file, '{ "rootz": {} }')
  await expect(open()).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: { file, line: 1, column: 3 } })
})

test('a file that cannot be read is refused at the start', async () => {
  mkdirSync(file)
  await expect(open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

test('a file that is no UTF-8 is refused, and stays as it is', async () => {
  const config = await open()
  writeFileSync(file, Buffer.from([0x2f, 0x2f, 0xe9, 0x0a, 0x7b, 0x7d]))
  const refused = { code: 'CONFIG_INVALID', message: expect.stringContaining('is not UTF-8'), data: { file } }
  await expect(open()).rejects.toMatchObject(refused)
  await expect(config.edit((text = '') => text)).rejects.toMatchObject(refused)
  expect(readFileSync(file)[2]).toBe(0xe9)
})

test('an edit that does not parse is reported, and what was sound stays; the same text again ends it', async () => {
  write(1)
  const config = await open()
  const sound = readFileSync(file, 'utf8')
  writeFileSync(file, sound.slice(0, -2))
  const broken = await next(config)
  const during = [config.current.rules.length, config.broken?.code]
  writeFileSync(file, sound)
  expect([broken, during, await next(config), config.broken]).toEqual([
    `broken: ${file}:1:${sound.length - 1} a closing ] is missing`,
    [1, 'CONFIG_INVALID'],
    'changed: 1 rules',
    undefined,
  ])
})

test('a file that vanishes for good takes back what it consented to, and lifts nothing that it denied, until there is one again', async () => {
  const text = '{ "rules": [{ "decision": "deny" }], "roots": { "*": [{ "path": "/trip" }] } }'
  writeFileSync(file, text)
  const config = await open()
  const broken = new Promise<string>((resolve) => config.on('broken', ({ message }) => resolve(message)))
  unlinkSync(file)
  const heard = await next(config)
  const left = [await broken, config.current.rules.length, config.current.roots.size]
  writeFileSync(file, text)

  expect([heard, left]).toEqual(['changed: 1 rules', [`${file} is gone: put it back, or write {} for a config that says nothing`, 1, 0]])
  expect([await next(config), config.broken, config.current.roots.size]).toEqual(['changed: 1 rules', undefined, 1])
})

test('what a file denied that is gone is still denied when another one that was broken is gone too, and when nothing could be read for a while', async () => {
  write(2)
  const config = await open()
  const heard: string[] = []
  for (const change of [
    () => unlinkSync(file),
    () => writeFileSync(file, '{ oops }'),
    () => unlinkSync(file),
    () => mkdirSync(file),
    () => rmSync(file, { recursive: true }),
  ]) {
    const broken = new Promise<string>((resolve) => config.on('broken', ({ message }) => resolve(message)))
    change()
    heard.push((await broken).includes('is gone') ? 'gone' : 'broken')
  }

  expect([heard, config.current.rules.length, config.broken?.code]).toEqual([['gone', 'broken', 'gone', 'broken', 'gone'], 2, 'CONFIG_INVALID'])
})

test('an edit of a file that is gone is refused: a new one would lift what it denied', async () => {
  write(1)
  const config = await open()
  unlinkSync(file)
  const edit = config.edit((text) => addRoot(text, { server: 'x', path: '/a' }, { file, ...place }))
  await expect(edit).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('is gone: put it back') })
  expect(existsSync(file)).toBe(false)
})

test.skipIf(process.platform === 'win32')('a pipe in the place of the file is reported, and keeps nobody from seeing the next one', async () => {
  write(1)
  const config = await open()
  unlinkSync(file)
  execFileSync('mkfifo', [file])
  const heard = [(await next(config)).includes('is no regular file')]
  unlinkSync(file)
  write(3)

  expect([heard, await next(config)]).toEqual([[true], 'changed: 3 rules'])
})

test('a file that turns unreadable is reported as broken', async () => {
  write(1)
  const config = await open()
  unlinkSync(file)
  mkdirSync(file)
  expect([(await next(config)).slice(0, 7), config.current.rules.length]).toEqual(['broken:', 1])
})

test('an edit of ours is in force when it is done, and the file is for the user alone', async () => {
  const config = await open()
  const reports: string[] = []
  config.on('changed', ({ roots }) => reports.push(String(roots.get('x')?.[0]?.path)))
  await config.edit((text) => addRoot(text, { server: 'x', path: '/a' }, { file, ...place }))
  expect([config.current.roots.get('x'), reports, process.platform === 'win32' || statSync(file).mode & 0o777]).toEqual([[{ path: '/a' }], ['/a'], 0o600])
})

test('an edit of a broken file is refused, and the file stays', async () => {
  write(1)
  const config = await open()
  writeFileSync(file, '{ oops }')
  await expect(config.edit((text) => addRoot(text, { server: 'x', path: '/a' }, { file, ...place }))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  expect(readFileSync(file, 'utf8')).toBe('{ oops }')
})

test('after close nothing is reported any more', async () => {
  const config = await open()
  const reports: unknown[] = []
  config.on('changed', (report) => reports.push(report))
  config.close()
  config.close()
  write(1)
  await config.edit((text) => text ?? '{}')
  expect(reports).toEqual([])
})
