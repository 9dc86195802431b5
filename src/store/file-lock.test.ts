import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeFileLock } from './file-lock.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'consentry-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a lock is held by one, and free when it was released', async () => {
  const file = join(newFolder(), 'state', 'desk.lock')
  const first = await takeFileLock(file)
  const second = await takeFileLock(file)
  first?.release()
  first?.release()
  const third = await takeFileLock(file)
  third?.release()

  expect([first, second, third].map((lock) => lock !== undefined)).toEqual([true, false, true])
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})

test('of many who race for it one gets it', async () => {
  const file = join(newFolder(), 'desk.lock')
  const locks = await Promise.all(Array.from({ length: 20 }, () => takeFileLock(file)))

  expect(locks.filter((lock) => lock !== undefined)).toHaveLength(1)
  for (const lock of locks) lock?.release()
})

test('a process that is killed holds it no longer', async () => {
  const file = join(newFolder(), 'desk.lock')
  const script = `import Libsql from 'libsql'; new Libsql(process.argv[1]).exec('begin exclusive'); console.log('held'); setTimeout(() => {}, 60_000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const during = await takeFileLock(file)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const after = await takeFileLock(file)
  after?.release()

  expect([during, after].map((lock) => lock !== undefined)).toEqual([false, true])
})

test('a file that cannot be a lock is refused with its name', async () => {
  const folder = newFolder()

  await expect(takeFileLock(folder)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(folder) })
})
