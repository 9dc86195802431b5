import { ConsentryError } from '../errors.ts'
import { createListeners, type Listeners } from '../protocol/index.ts'
import { unwritten } from '../store/disk-advice.ts'
import { privateFiles, type PrivateFiles } from '../store/private-files.ts'
import { emptyConfig, type Config, type ConfigPlace } from './config.ts'
import { parseConfig } from './parse-config.ts'

export interface ConfigFileOptions {
  readonly file: string
  readonly place: ConfigPlace
  readonly files?: PrivateFiles | undefined
  /** Milliseconds between two looks at the file. */
  readonly interval?: number | undefined
}

export interface ConfigFileEvents {
  /** The file is different, or sound again. */
  readonly changed: Config
  /** The file cannot be understood or read: rules must be suspended, and nothing new be told to anybody. */
  readonly broken: ConsentryError
}

/** Where the file is not, or cannot be looked at: other than every version of it. */
const UNREADABLE = 'unreadable'
/** A file that has vanished is given so long to be back. */
const SECOND_LOOK_MS = 250

/**
 * The config on the disk, followed while it is edited. What it said last that was sound stays `current`.
 *
 * A file that was never there is an empty config. One that vanishes while we run is given one more look, because editors replace files; then it counts
 * as broken, and what it consented to as taken back: its folders and models are gone, its rules stay to be suspended.
 */
export class ConfigFile {
  readonly #file: string
  readonly #place: ConfigPlace
  readonly #files: PrivateFiles
  readonly #interval: number
  readonly #listeners: Listeners<ConfigFileEvents> = createListeners<ConfigFileEvents>()
  #current: Config = emptyConfig
  #broken: ConsentryError | undefined
  #version: string | undefined
  #text: string | undefined
  /** A sound file was there: what it denied holds until there is one again. */
  #wasSound = false
  #isMissing = false
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor({ file, place, files = privateFiles, interval = 250 }: ConfigFileOptions) {
    this.#file = file
    this.#place = place
    this.#files = files
    this.#interval = interval
  }

  /** Reads the file, and follows it until `close`. @throws ConsentryError `CONFIG_INVALID` when it cannot be understood or read now */
  static async open(options: ConfigFileOptions): Promise<ConfigFile> {
    const config = new ConfigFile(options)
    config.#isMissing = true
    config.#version = UNREADABLE
    await config.#look()
    if (config.#broken !== undefined) throw config.#broken
    config.#lookLater()
    return config
  }

  get current(): Config {
    return this.#current
  }

  /** What is wrong with the file now. */
  get broken(): ConsentryError | undefined {
    return this.#broken
  }

  /**
   * Changes the file, one process at a time, and takes the change up at once.
   *
   * @param change gets the text (undefined: no file yet) and gives the new one, as `addRoot` and its like do
   * @throws ConsentryError `CONFIG_INVALID` when the file is broken, gone or cannot be written: it stays as it was
   */
  async edit(change: (text: string | undefined) => string): Promise<Config> {
    try {
      await this.#files.rewrite(this.#file, (text) => {
        // What the file denied is nowhere but here: a new one would lift it.
        if (text === undefined && this.#wasSound) throw this.#gone()
        return change(text)
      })
    } catch (cause) {
      throw cause instanceof ConsentryError && cause.code !== 'STORE_UNAVAILABLE' ? cause : this.#unwritten(cause)
    }
    await this.#look()
    return this.#current
  }

  /** @returns the function that undoes it */
  on<Name extends keyof ConfigFileEvents>(event: Name, listener: (detail: ConfigFileEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Safe to call twice. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #lookLater(): void {
    if (this.#closed) return
    const isDoubtful = this.#isMissing && this.#version !== undefined && this.#version !== UNREADABLE
    this.#timer = setTimeout(() => void this.#look().then(() => this.#lookLater()), isDoubtful ? Math.min(SECOND_LOOK_MS, this.#interval) : this.#interval)
    this.#timer.unref()
  }

  /** One look after the other, so that an older one never overtakes. */
  #look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookNow())
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    try {
      const version = await this.#files.version(this.#file)
      if (version === this.#version) return
      if (version === undefined && !this.#isMissing) {
        this.#isMissing = true
        return
      }
      const text = await this.#files.read(this.#file)
      // It vanished in this moment: the next look says for how long.
      if (text === undefined && version !== undefined) return
      this.#isMissing = version === undefined
      this.#version = version
      if (text === undefined && this.#wasSound) this.#lose()
      else this.#take(text)
    } catch (cause) {
      this.#version = UNREADABLE
      this.#break(this.#fault('cannot be read', cause))
    }
  }

  #take(text: string | undefined): void {
    if (text === this.#text && this.#broken === undefined) return
    try {
      this.#current = text === undefined ? emptyConfig : parseConfig(text, this.#file, this.#place)
    } catch (error) {
      if (!(error instanceof ConsentryError)) throw error
      return this.#break(error)
    }
    this.#text = text
    this.#wasSound ||= text !== undefined
    this.#broken = undefined
    if (!this.#closed) this.#listeners.emit('changed', this.#current)
  }

  /** Without its rules less would be denied; with its folders more would be told than anybody can still read. */
  #lose(): void {
    this.#text = undefined
    this.#current = { ...this.#current, roots: emptyConfig.roots, rootMappings: emptyConfig.rootMappings, models: emptyConfig.models }
    this.#broken = undefined
    if (!this.#closed) this.#listeners.emit('changed', this.#current)
    this.#break(this.#gone())
  }

  #break(error: ConsentryError): void {
    if (this.#broken?.message === error.message) return
    this.#broken = error
    if (!this.#closed) this.#listeners.emit('broken', error)
  }

  #gone(): ConsentryError {
    const advice = 'put it back, or write {} for a config that says nothing'
    return new ConsentryError('CONFIG_INVALID', `${this.#file} is gone: ${advice}`, { data: { file: this.#file } })
  }

  #unwritten(cause: unknown): ConsentryError {
    if (cause instanceof ConsentryError) return this.#fault('cannot be written', cause)
    return new ConsentryError('CONFIG_INVALID', unwritten(this.#file, cause), { cause, data: { file: this.#file } })
  }

  #fault(problem: string, cause: unknown): ConsentryError {
    return new ConsentryError('CONFIG_INVALID', `${this.#file} ${problem}: ${(cause as Error).message}`, { cause, data: { file: this.#file } })
  }
}
