import { parentOf, placeAt, type Place, type Platform } from './place.ts'
import { foldName } from './windows-names.ts'

/** A whole disk in words. Folders above an entry exist. */
export interface DescribedTree {
  readonly dirs?: readonly string[] | undefined
  /** Texts by path, or paths of empty files. */
  readonly files?: Readonly<Record<string, string>> | readonly string[] | undefined
  /** Targets by path; a link on a Windows drive is a mapping. */
  readonly links?: Readonly<Record<string, string>> | undefined
  /** Second names of files, by path. */
  readonly hard?: Readonly<Record<string, string>> | undefined
  /** Windows 8.3 aliases, with what they stand for. */
  readonly short?: Readonly<Record<string, string>> | undefined
  /** Folders that cannot be listed, and whose files cannot be opened. */
  readonly unreadable?: readonly string[] | undefined
}

export interface DescribedVolume {
  readonly platform: Platform
  /** How names are compared. Default: exactly on POSIX, without case on Windows. */
  readonly volume?: { readonly caseInsensitive?: boolean | undefined; readonly normalizationInsensitive?: boolean | undefined } | undefined
}

/** One object of a described disk. */
export interface Node {
  readonly place: Place
  readonly kind: 'folder' | 'file' | 'link'
  /** Of a file its text, of a link its target. */
  readonly text: string
  /** Shared by all names of one file. */
  readonly identity: string
  readonly children: Map<string, Node>
  readable: boolean
}

/** The objects of a described disk, found by place as its volume compares names. Links are objects here, never followed. */
export class NodeTree {
  readonly #volume: DescribedVolume
  readonly #tops = new Map<string, Node>()
  #count = 0

  constructor(tree: DescribedTree, volume: DescribedVolume) {
    this.#volume = volume
    if (volume.platform === 'posix') this.#put('/', 'folder')
    for (const [path, target] of Object.entries(tree.links ?? {})) this.#put(path, 'link', target)
    for (const path of tree.dirs ?? []) this.#put(path, 'folder')
    for (const [path, text] of filesOf(tree)) this.#put(path, 'file', text)
    for (const [path, file] of Object.entries(tree.hard ?? {})) {
      const original = this.#nodeOf(file)
      this.#put(path, 'file', original?.text, original?.identity)
    }
    for (const [path, target] of Object.entries(tree.short ?? {})) {
      const place = placeAt(path, volume.platform)
      const node = this.#nodeOf(target)
      if (place && node) this.#siblingsOf(place)?.set(this.keyOf(place), node)
    }
    for (const path of tree.unreadable ?? []) this.#put(path, 'folder').readable = false
  }

  at(place: Place): Node | undefined {
    return this.#siblingsOf(place)?.get(this.keyOf(place))
  }

  /** How the volume knows the last name of a place among its siblings. */
  keyOf(place: Place): string {
    const { platform, volume = {} } = this.#volume
    const name = place.names.at(-1) ?? ''
    const form = volume.normalizationInsensitive ? name.normalize('NFC') : name
    return `${place.host} ${(volume.caseInsensitive ?? platform === 'win32') ? foldName(form) : form}`
  }

  #put(path: string, kind: Node['kind'], text = '', identity = String((this.#count += 1))): Node {
    const place = placeAt(path, this.#volume.platform) ?? { platform: this.#volume.platform, host: '', names: [] }
    return this.at(place) ?? this.#add({ place, kind, text, identity, children: new Map(), readable: true })
  }

  #add(node: Node): Node {
    const parent = parentOf(node.place)
    if (parent && !this.at(parent)) {
      this.#add({ place: parent, kind: 'folder', text: '', identity: String((this.#count += 1)), children: new Map(), readable: true })
    }
    this.#siblingsOf(node.place)!.set(this.keyOf(node.place), node)
    return node
  }

  #siblingsOf(place: Place): Map<string, Node> | undefined {
    const parent = parentOf(place)
    return parent ? this.at(parent)?.children : this.#tops
  }

  #nodeOf(path: string): Node | undefined {
    const place = placeAt(path, this.#volume.platform)
    return place && this.at(place)
  }
}

function filesOf({ files = [] }: DescribedTree): readonly (readonly [path: string, text: string])[] {
  return Array.isArray(files) ? files.map((path: string) => [path, ''] as const) : Object.entries(files as Readonly<Record<string, string>>)
}
