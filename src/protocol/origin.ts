import type { KeptChoice } from './kept-folders.ts'
import type { Era, Revision } from './revision.ts'
import type { Root } from './root.ts'

/** What is started, or which address is spoken to: the part of a server's identity that it cannot choose itself. */
export type ServerTarget =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly cwd?: string | undefined }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'custom'; readonly description: string }

/**
 * Our own idea of a server: the name that the user gave, and what stands behind it. Rules and grants are keyed by both.
 * What a server says about itself is never part of it.
 */
export interface ServerIdentity {
  readonly name: string
  /** True where the user gave the name (config entry, `--name`); only such names match rules and roots of the config. */
  readonly named: boolean
  readonly target: ServerTarget
}

/** The request of ours that a question came in the middle of. */
export type ParentCall =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly name: string }
  /** More than one was open, so that nobody can tell which: never guessed. */
  | { readonly kind: 'one-of'; readonly count: number }

/** Who asks over one connection; given when a session is opened. */
export interface ConnectionOrigin {
  readonly server: ServerIdentity
  /** Unique among all connections of this process. */
  readonly connection: string
  /** The application that we answer for ("Cursor"), where it said so. */
  readonly client?: string | undefined
  /** Whoever holds the connection starts the server afresh when `restart-asked` says so. */
  readonly canRestart?: boolean | undefined
  /** Whether another process, which started the server, says that it is held to its folders: nothing proves it. Absent where we started it ourselves. */
  readonly saysHeld?: boolean | undefined
  /** The folders that it was given when it was started, by a sandbox or among its arguments: other ones reach it with a fresh start only; `unsaid`: an older wrap does not say which. Absent: it is told them later. */
  readonly startedWith?: readonly string[] | 'unsaid' | undefined
  /** What it was told last, in the legacy era, by a desk that is gone or did not answer: it may go on in these folders. */
  readonly told?: readonly Root[] | undefined
  /** Where that is none, or an empty folder in place of none: the URIs that it knew before, as long as nobody has said what else is done about them. */
  readonly undecided?: readonly string[] | undefined
  /** What the user said beforehand about folders that it keeps; nobody is asked about that then. */
  readonly keptFolders?: KeptChoice | undefined
}

/** Who asks, over which connection, in which era, and in the middle of what. */
export interface Origin extends ConnectionOrigin {
  readonly era: Era
  readonly revision: Revision
  readonly call?: ParentCall | undefined
  /** See `InputRequest`. */
  readonly isInCall?: boolean | undefined
  /** The question's id, the same in the audit log. */
  readonly question?: string | undefined
}
