import type { AsyncEntry } from '@napi-rs/keyring'
import { ConsentryError } from '../errors.ts'

/** The system's keyring, for this program's names. */
export interface Keyring {
  read(name: string): Promise<string | undefined>
  write(name: string, key: string): Promise<void>
  /** @returns false where there was none */
  remove(name: string): Promise<boolean>
}

const SERVICE = 'consentry'
const PACKAGE = '@napi-rs/keyring'

/** Loads the keyring, an optional package. @throws ConsentryError `MODEL_FAILED` where it is not installed */
export async function loadKeyring(): Promise<Keyring> {
  const { AsyncEntry: Entry } = await load()
  return {
    read: async (name) => (await new Entry(SERVICE, name).getPassword()) ?? undefined,
    write: (name, key) => new Entry(SERVICE, name).setPassword(key),
    remove: (name) => new Entry(SERVICE, name).deleteCredential(),
  }
}

async function load(): Promise<{ readonly AsyncEntry: typeof AsyncEntry }> {
  try {
    return await import('@napi-rs/keyring')
  } catch (cause) {
    const advice = `run "npm install ${PACKAGE}", or keep the key in a variable of the environment`
    throw new ConsentryError('MODEL_FAILED', `The system's keyring needs the package ${PACKAGE}: ${advice}`, { cause, data: { spent: 'nothing' } })
  }
}
