import { ConsentryError, type ErrorCode } from '../errors.ts'
import { guaranteeHere, openAnchor, openNodeDisk, pathOf, type Disk, type GuaranteeLevel, type HoldNeeds } from '../paths/index.ts'
import { CallRoots, isModernCall, rootsQuestion, type CallContext } from './call-roots.ts'
import { ConfiguredFolders, type FolderOptions } from './configured-folders.ts'
import { ConnectionRoots } from './connection-roots.ts'
import type { FileOptions } from './file-results.ts'
import { GrantedPlaces } from './granted-places.ts'
import { GuardedFiles } from './guarded-files.ts'
import type { CurrentRoots } from './path-holder.ts'
import { ourError } from './refusals.ts'
import { sourceOf, type AnyServer, type RootSource } from './root-source.ts'

export interface RootGuardOptions extends FolderOptions {
  /** How long the client may take to say its roots, in milliseconds. Default 5000. */
  readonly patienceMs?: number | undefined
  /** One sentence for the server's log: a root that cannot be used, configured folders that hold. Default: nothing is said. */
  readonly notice?: ((sentence: string) => void) | undefined
  /** For tests: a disk of their own, and less than this machine can promise. */
  readonly disk?: Disk | undefined
  readonly openAnchor?: HoldNeeds['openAnchor'] | undefined
  readonly level?: GuaranteeLevel | undefined
  readonly newId?: (() => string) | undefined
}

/** A tool's result that says what went wrong, for a model to read. In the modern era it may be the question for roots in its place, which the SDK passes on. */
export interface ToolRefusal {
  readonly [key: string]: unknown
  readonly content: { type: 'text'; text: string }[]
  readonly isError: true
}

/** A disk that wakes up takes its time, and whoever needs a file waits for it anyway; one that hangs must end a call all the same. */
const DISK_PATIENCE_MS = 3000
const DEFAULT_PATIENCE_MS = 5000
/** What a model can do something about. */
const forModels: readonly ErrorCode[] = ['PATH_REFUSED', 'PATH_UNUSABLE', 'ROOTS_UNAVAILABLE']

/**
 * Guards the files of one MCP server: what its client grants (roots), and nothing else.
 *
 * Give it the server of the SDK, version 1 or 2; a {@link RootSource} where there is none; or nothing, for configured folders alone. It asks the client when a file is
 * first needed, never before the client's `initialized`, and follows `notifications/roots/list_changed`. Make one for each connection, and close it with it.
 *
 * @throws ConsentryError `ROOT_INVALID` for a configured folder that cannot be one
 * @see MCP client/roots "Security Considerations", "Implementation Guidelines"
 */
export function createRootGuard(server: AnyServer | RootSource | undefined, options: RootGuardOptions = {}): RootGuard {
  return new RootGuard(server === undefined || 'supportsRoots' in server ? server : sourceOf(server), options)
}

/** See {@link createRootGuard}; its own methods are for the legacy era, where the roots belong to the connection. */
export class RootGuard extends GuardedFiles {
  readonly #parts: Parts

  constructor(source: RootSource | undefined, options: RootGuardOptions) {
    const parts = partsOf(source, options)
    super({ ...parts, roots: parts.connection })
    this.#parts = parts
  }

  /** The real folders that may be used at this moment. @throws ConsentryError `ROOTS_UNAVAILABLE` */
  async roots({ signal }: FileOptions = {}): Promise<readonly string[]> {
    return (await this.#parts.connection.list(signal)).map(({ real }) => pathOf(real))
  }

  /**
   * Runs one tool call with its files, in either era: what is refused becomes a result that a model can read, and where the client must be asked first, the result asks it.
   * In the modern era the call then comes again from its beginning: use files before anything that must not happen twice.
   */
  async run<Result>(context: CallContext, action: (files: GuardedFiles) => Promise<Result>): Promise<Result | ToolRefusal> {
    const { places, folders } = this.#parts
    const roots = isModernCall(context) ? new CallRoots(context, places, folders) : undefined
    try {
      const result = await action(this.#filesFor(roots ?? this.#parts.connection, context))
      if (!roots?.isAsking) return result
    } catch (error) {
      if (!roots?.isAsking) return refusalOf(error)
    }
    return rootsQuestion as unknown as ToolRefusal
  }

  /** For servers that have a handler of their own for `notifications/roots/list_changed`: call this in it. */
  rootsChanged(): void {
    this.#parts.connection.change()
  }

  /** No file can be used any more, and watches end. Safe to call twice. */
  close(): void {
    this.#parts.connection.close()
  }

  /** Whoever waits for the client stops waiting when the call is cancelled. */
  #filesFor(roots: CurrentRoots, { signal, mcpReq }: CallContext): GuardedFiles {
    const ending = mcpReq?.signal ?? signal
    return new GuardedFiles({ ...this.#parts, roots: { list: (own) => roots.list(own ?? ending), onChange: (listener) => roots.onChange(listener) } })
  }
}

interface Parts {
  readonly places: GrantedPlaces
  readonly folders: ConfiguredFolders
  readonly connection: ConnectionRoots
  readonly disk: Disk
  readonly openAnchor: HoldNeeds['openAnchor']
  readonly level: GuaranteeLevel
  readonly newId: () => string
}

function partsOf(source: RootSource | undefined, options: RootGuardOptions): Parts {
  const {
    patienceMs = DEFAULT_PATIENCE_MS,
    notice = () => {},
    disk = openNodeDisk({ slow: DISK_PATIENCE_MS, patience: DISK_PATIENCE_MS }),
    level = guaranteeHere(),
  } = options
  const places = new GrantedPlaces({ disk, notice })
  const folders = new ConfiguredFolders(options, places, notice)
  return {
    places,
    folders,
    connection: new ConnectionRoots({ source, places, folders, patienceMs }),
    disk,
    openAnchor: options.openAnchor ?? ((path) => openAnchor(path, level).catch((error: unknown) => Promise.reject(ourError(error, path)))),
    level,
    newId: options.newId ?? (() => globalThis.crypto.randomUUID()),
  }
}

function refusalOf(error: unknown): ToolRefusal {
  if (error instanceof ConsentryError && forModels.includes(error.code)) return { content: [{ type: 'text', text: error.message }], isError: true }
  throw error
}
