import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { ConsentryError } from '../errors.ts'
import { loadKeyring, type Keyring } from './keyring.ts'
import { run } from './program.ts'
import { readKey, type ReadKeyOptions } from './read-key.ts'

const KEY = 'sk-never-shown-0123456789'

/** `consentry models key`, with the key on stdin. */
async function storeKey(...argv: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const home = mkdtempSync(join(tmpdir(), 'keyring-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(`${KEY}\n`)
  const environment = { CONSENTRY_HOME: home, HOME: home }
  const code = await run(['models', 'key', ...argv], {
    environment,
    cwd: home,
    platform: process.platform,
    interrupted: new AbortController().signal,
    stdin,
    stdout,
    stderr,
  })
  return { code, said: String(stdout.read() ?? '') + String(stderr.read() ?? '') }
}

function read(name: string, options?: ReadKeyOptions): Promise<string> {
  return readKey({ kind: 'keyring', name }, {}, options).catch((error: ConsentryError) => `${error.code}: ${error.message}`)
}

function keyringOf(entries: Map<string, string>): Keyring {
  return {
    read: (name) => Promise.resolve(entries.get(name)),
    write: (name, key) => Promise.resolve(void entries.set(name, key)),
    remove: (name) => Promise.resolve(entries.delete(name)),
  }
}

test('the real keyring of this machine keeps a key, or says what to do where there is none that works', async () => {
  const name = `test-${process.pid}`
  const keyring = await loadKeyring()
  const works = await keyring.write(name, 'probe').then(
    () => true,
    () => false,
  )
  const stored = await storeKey(name)
  const found = await read(name)
  const removed = await storeKey(name, '--remove')
  const after = await read(name)

  const outcome = { stored: stored.code, found, removed: removed.code, after: after.includes('the keyring has no key under this name') }
  const cannotRead = expect.stringMatching(/^MODEL_FAILED: A model cannot be asked without its key: /) as unknown
  expect(outcome).toEqual(
    works ? { stored: 0, found: KEY, removed: 0, after: true } : { stored: 2, found: cannotRead, removed: expect.any(Number), after: expect.any(Boolean) },
  )
  expect(stored.said).toContain(works ? "in the system's keyring" : "the system's keyring cannot be used: unlock it, or keep the key in a variable")
  expect([stored.said, removed.said].join('\n')).not.toContain(KEY)
})

test('a key is read from a keyring by its name, without the spaces around it', async () => {
  const keyring = keyringOf(new Map([['work', ` ${KEY}\n`]]))

  expect(await read('work', { keyring: () => Promise.resolve(keyring) })).toBe(KEY)
  expect(await read('home', { keyring: () => Promise.resolve(keyring) })).toContain('store it with "consentry models key home"')
})

test.each<[string, () => Promise<string | undefined>]>([
  ['is locked', () => Promise.reject(new Error(`locked, and here is ${KEY}`))],
  ['asks a person who is not there', () => new Promise(() => {})],
])('a keyring that %s is given up, with what to do, and nothing of what it says', async (_, answer) => {
  const keyring: Keyring = { ...keyringOf(new Map()), read: answer }
  const said = await read('work', { keyring: () => Promise.resolve(keyring), patienceMs: 20 })

  expect(said).toBe(
    "MODEL_FAILED: A model cannot be asked without its key: the system's keyring cannot be read: unlock it, or use a variable of the environment",
  )
})
