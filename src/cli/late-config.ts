import { statSync } from 'node:fs'
import { ConsentryError } from '../errors.ts'
import type { ConfigFile, ConfigFileEvents } from '../policy/config-file.ts'
import { emptyConfig, type Config } from '../policy/config.ts'
import { createListeners } from '../protocol/listeners.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

const lookEveryMs = 500

/**
 * The user's config for a command that must start at once: where there is no file, nothing that could read one is loaded until there is.
 * While the file cannot be read, what it allowed before is not allowed.
 */
export class LateConfig implements Pick<ConfigFile, 'current' | 'on'> {
  readonly #place: Place
  readonly #listeners = createListeners<ConfigFileEvents>()
  #file: ConfigFile | undefined
  #timer: NodeJS.Timeout | undefined
  #lastFault: string | undefined
  #isClosed = false

  private constructor(place: Place) {
    this.#place = place
  }

  /** Reads the file if there is one. @throws ConsentryError `CONFIG_INVALID` */
  static async open(place: Place): Promise<LateConfig> {
    const config = new LateConfig(place)
    if (config.#isThere()) await config.#open()
    return config
  }

  get current(): Config {
    const { current = emptyConfig, broken } = this.#file ?? {}
    return broken === undefined ? current : { ...current, rules: current.rules.filter(({ decision }) => decision === 'deny') }
  }

  /** @returns the function that undoes it */
  on<Name extends keyof ConfigFileEvents>(event: Name, listener: (detail: ConfigFileEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Sees a file that is made later. */
  follow(): void {
    if (this.#file !== undefined || this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#look(), lookEveryMs).unref()
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#file?.close()
    this.#listeners.clear()
  }

  async #look(): Promise<void> {
    this.#timer = undefined
    try {
      if (this.#isThere()) {
        await this.#open()
        this.#listeners.emit('changed', this.current)
      }
    } catch (error) {
      this.#report(error)
    }
    this.follow()
  }

  async #open(): Promise<void> {
    const { openConfig } = await import('./open-config.ts')
    const file = await openConfig(this.#place)
    if (this.#isClosed) return file.close()
    this.#file = file
    file.on('changed', () => this.#listeners.emit('changed', this.current))
    file.on('broken', (error) => this.#listeners.emit('broken', error))
  }

  #report(error: unknown): void {
    if (!(error instanceof ConsentryError)) throw error
    if (error.message === this.#lastFault) return
    this.#lastFault = error.message
    this.#listeners.emit('broken', error)
  }

  /** A file that cannot even be looked at counts as one: reading it says why. */
  #isThere(): boolean {
    try {
      return statSync(openStateFolder(this.#place).configFile, { throwIfNoEntry: false }) !== undefined
    } catch {
      return true
    }
  }
}
