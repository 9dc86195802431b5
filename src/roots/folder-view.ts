import { pathOf, placeBelow, type Disk, type Place } from '../paths/index.ts'

/** More than any manifest of a human project. */
const LARGEST_MANIFEST = 1024 * 1024

/** One folder as a search looks at it: its names are read once, its files only where a name asks for it. */
export class FolderView {
  readonly place: Place
  readonly names: readonly string[]
  readonly #disk: Disk
  readonly #known: ReadonlySet<string>

  private constructor(place: Place, names: readonly string[], disk: Disk) {
    this.place = place
    this.names = names
    this.#disk = disk
    this.#known = new Set(names)
  }

  /** Undefined where the folder cannot be listed. */
  static async open(place: Place, disk: Disk): Promise<FolderView | undefined> {
    const names = await disk.list(pathOf(place))
    return names && new FolderView(place, names, disk)
  }

  async kindOf(name: string): Promise<'folder' | 'file' | undefined> {
    if (!this.#known.has(name)) return undefined
    const { kind } = await this.#disk.inspect(pathOf(placeBelow(this.place, name)))
    return kind === 'folder' || kind === 'file' ? kind : undefined
  }

  /** The text of a file that is there; undefined where it cannot be read. */
  readText(name: string): Promise<string | undefined> {
    return this.#disk.readText(pathOf(placeBelow(this.place, name)), LARGEST_MANIFEST)
  }
}
