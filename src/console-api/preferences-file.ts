import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import { privateFiles, type PrivateFiles } from '../store/index.ts'
import { unwritten } from '../store/disk-advice.ts'
import type { Language, Preferences } from './contract.ts'

const languages: readonly Language[] = ['en', 'ko', 'zh']

/** What a person likes, kept beside the config; one that cannot be read is none. */
export class PreferencesFile {
  readonly #file: string
  readonly #files: PrivateFiles
  #current: Preferences = {}

  private constructor(file: string, files: PrivateFiles) {
    this.#file = file
    this.#files = files
  }

  static async open(file: string, files: PrivateFiles = privateFiles): Promise<PreferencesFile> {
    const preferences = new PreferencesFile(file, files)
    const text = await files.read(file).catch(() => undefined)
    preferences.#current = text === undefined ? {} : parse(text)
    return preferences
  }

  get current(): Preferences {
    return this.#current
  }

  /** Changes what is given, and leaves the rest. @throws ConsentryError `STORE_UNAVAILABLE` when it cannot be kept */
  async set(change: Preferences): Promise<Preferences> {
    this.#current = { ...this.#current, ...change }
    try {
      await this.#files.replace(this.#file, `${JSON.stringify(this.#current, undefined, 2)}\n`)
    } catch (cause) {
      throw new ConsentryError('STORE_UNAVAILABLE', `${unwritten(this.#file, cause)}. Until the desk ends it holds all the same.`, { cause })
    }
    return this.#current
  }
}

/** Takes what it knows out of something that anybody may have written. */
export function readPreferences(value: unknown): Preferences {
  if (!isJsonObject(value)) return {}
  const { language, theme, notifications, tourSeen } = value
  return {
    ...(languages.includes(language as Language) && { language: language as Language }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(typeof notifications === 'boolean' && { notifications }),
    ...(typeof tourSeen === 'boolean' && { tourSeen }),
  }
}

function parse(text: string): Preferences {
  try {
    return readPreferences(JSON.parse(text))
  } catch {
    return {}
  }
}
