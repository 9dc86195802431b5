import { mapRoot, type Platform, type RootMapping } from '../paths/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import type { FolderSighting } from './consented-folder.ts'
import { rootPhrase } from './root-phrase.ts'

export interface ServerViewOptions {
  readonly server: ServerIdentity
  readonly platform: Platform
  /** How this server knows our folders now. */
  readonly mappings: () => readonly RootMapping[]
}

/**
 * What one server sees of our folders: itself the same files, or, in a container or on another machine, others.
 *
 * Where there are mappings, only mapped folders are told, by their names there. Without any, a server that is spoken to over HTTP
 * is told only what was given for this run: the paths of this machine mean nothing elsewhere, and say much.
 */
export class ServerView {
  readonly #options: ServerViewOptions

  constructor(options: ServerViewOptions) {
    this.#options = options
  }

  /** Nothing that a person could consent to would be told. */
  get isBlind(): boolean {
    return this.#isRemote && this.#options.mappings().length === 0
  }

  /** The same for as long as it sees our folders in the same way. */
  get mark(): unknown {
    const mappings = this.#options.mappings()
    return mappings.length === 0 ? undefined : mappings
  }

  /** A sighting as this server may hear of it. */
  see(path: string, sighting: FolderSighting, { isGiven = false }: { readonly isGiven?: boolean } = {}): FolderSighting {
    const { platform, mappings } = this.#options
    const known = mappings()
    if (known.length === 0) return this.#isRemote && !isGiven ? unmapped(sighting) : sighting
    const uri = mapRoot(path, known, platform)
    if (uri === undefined) return unmapped(sighting)
    const { state, told } = sighting
    return { state: { ...state, uri }, told: told && { ...told, root: { ...told.root, uri } } }
  }

  get #isRemote(): boolean {
    return this.#options.server.target.kind === 'http'
  }
}

/** It has no URI there. A folder that is not told for another reason keeps that reason. */
function unmapped({ state: { path, name, status, reason }, told }: FolderSighting): FolderSighting {
  return { state: { path, name, ...(told ? { status: 'unmapped', reason: rootPhrase('folder-unmapped', {}) } : { status, reason }) } }
}
