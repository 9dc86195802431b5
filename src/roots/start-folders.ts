import type { FolderState } from './consented-folder.ts'

/** URIs of folders, by path. */
type Folders = ReadonlyMap<string, string>

/**
 * The folders that a server was given when it was started, where it has no others until it is started afresh, and those that it would be given now.
 *
 * A folder that is only gone is no reason to start a server afresh.
 */
export class StartFolders {
  #given: Folders | undefined
  /** What it was given in truth, as long as nobody has said that it was started afresh. */
  #before: Folders | undefined
  #now: Folders = new Map()
  #consented: ReadonlySet<string> = new Set()
  /** What it would have been given when a person left it as it was. */
  #left: Folders | undefined

  /** Undefined where it is told its folders later. */
  get uris(): readonly string[] | undefined {
    return this.#given && [...this.#given.values()]
  }

  /** Somebody left it as it is, and nothing has changed since then. */
  get isLeft(): boolean {
    return this.#left !== undefined && isSame(this.#left, this.#now)
  }

  /** It should have others than those that it was given. */
  get isOther(): boolean {
    const given: Folders = this.#given ?? new Map()
    return [...this.#now.keys()].some((path) => !given.has(path)) || [...given.keys()].some((path) => !this.#consented.has(path))
  }

  /** It runs with these. */
  give(folders: Folders): void {
    this.#given = folders
    this.#before = undefined
  }

  /** What can be told is this now. */
  see(states: readonly FolderState[]): void {
    this.#now = new Map(states.filter(({ status }) => status === 'ok').map(({ path, uri }) => [path, uri ?? path]))
    this.#consented = new Set(states.filter(({ status }) => status !== 'replaced').map(({ path }) => path))
  }

  leave(): void {
    this.#left = this.#now
  }

  /** It is to be started afresh, and taken for that: not everybody who starts servers says what came of it. */
  assumeFresh(): void {
    if (this.#given === undefined) return
    this.#before ??= this.#given
    this.#given = this.#now
  }

  /** It was not started afresh, and has what it had. */
  takeBack(): void {
    this.#given = this.#before ?? this.#given
    this.#before = undefined
  }
}

function isSame(one: Folders, other: Folders): boolean {
  return one.size === other.size && [...one.keys()].every((path) => other.has(path))
}
