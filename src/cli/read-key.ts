import { execFile } from 'node:child_process'
import { ConsentryError } from '../errors.ts'
import type { KeySource } from '../policy/index.ts'
import { loadKeyring, type Keyring } from './keyring.ts'

const PATIENCE_MS = 30_000
const LONGEST_KEY = 10_000

export interface ReadKeyOptions {
  /** Default: the system's. */
  readonly keyring?: (() => Promise<Keyring>) | undefined
  /** Milliseconds: a keyring may ask a person who is not there. Default: half a minute. */
  readonly patienceMs?: number | undefined
}

/**
 * Reads a key from where the user keeps it. No message holds it, or what a program says beside it.
 *
 * @throws ConsentryError `MODEL_FAILED`
 */
export async function readKey(
  source: KeySource,
  environment: Readonly<Record<string, string | undefined>>,
  { keyring = loadKeyring, patienceMs = PATIENCE_MS }: ReadKeyOptions = {},
): Promise<string> {
  const key = source.kind === 'keyring' ? await readFromKeyring(source.name, await keyring(), patienceMs) : await readFromCommand(source, environment)
  const trimmed = key.trim()
  if (trimmed !== '') return trimmed
  throw noKey(
    source.kind === 'keyring'
      ? `the keyring has no key under this name: store it with "consentry models key ${source.name}"`
      : 'the command for this key printed nothing',
  )
}

async function readFromKeyring(name: string, keyring: Keyring, patienceMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${patienceMs / 1000} seconds`)), patienceMs)
  })
  try {
    return (await Promise.race([keyring.read(name), late])) ?? ''
  } catch (cause) {
    throw noKey("the system's keyring cannot be read: unlock it, or use a variable of the environment", cause)
  } finally {
    clearTimeout(timer)
  }
}

function readFromCommand(
  { program, args }: Extract<KeySource, { kind: 'command' }>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without a shell: what stands in the config is what runs.
    const options = { timeout: PATIENCE_MS, maxBuffer: LONGEST_KEY, windowsHide: true, env: { ...environment }, encoding: 'utf8' } as const
    execFile(program, [...args], options, (error, stdout) => {
      if (error === null) return resolve(stdout.split(/\r?\n/, 1)[0] ?? '')
      const why = error.code === 'ENOENT' ? 'is not there' : error.killed === true ? `did not end within ${PATIENCE_MS / 1000} seconds` : 'failed'
      return reject(noKey(`the command for this key ${why}: run it by hand to see why`))
    })
  })
}

function noKey(because: string, cause?: unknown): ConsentryError {
  return new ConsentryError('MODEL_FAILED', `A model cannot be asked without its key: ${because}`, {
    data: { spent: 'nothing', why: 'model-key-missing' },
    ...(cause !== undefined && { cause }),
  })
}
