/** What a server is to be held to. All paths are absolute; links are followed when the server is started. */
export interface Boundary {
  /** Folders and files; the server is told these. */
  readonly roots: readonly HeldFolder[]
  /** More that it may read: what it needs to start and could not be found out. */
  readonly readable: readonly string[]
  /** True: no network at all. */
  readonly isOffline: boolean
  /** Whose keys and settings are never shown. */
  readonly home: string
  /** Our own state, which no server sees. */
  readonly state: string
}

export interface HeldFolder {
  readonly path: string
  readonly access: 'read' | 'read-write'
  /** Device and inode of what was consented to: nothing else is taken for it. Default: what lies there when it is first looked at. */
  readonly identity?: string | undefined
}

/** How a server is started. `env` is its whole environment. */
export interface StartCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

/** A command that starts the same server, held. */
export interface HeldCommand extends StartCommand {
  /** One sentence each: what is enforced, by what, and what is not. */
  readonly says: readonly string[]
  /** Real paths of the roots that were there, and that the server is held to until it is started afresh. */
  readonly roots: readonly HeldFolder[]
  /** Everything that it can read, those included. */
  readonly granted: readonly string[]
  /** Removes what was made for it, once the server has gone; this process does it when it ends. Safe to call twice. */
  close(): void
}

/** Everything a held server may see, in the order of how special it is: what comes later lies over what comes before. */
export interface Layout {
  readonly roots: readonly HeldFolder[]
  /** Of the system and of the server itself. */
  readonly readable: readonly string[]
  /** By path, device and inode of what was looked at, for what others than the system could put something else in the place of. */
  readonly identities: ReadonlyMap<string, string>
  /** Folders inside of what is granted that are shown empty. */
  readonly hidden: readonly string[]
  readonly cwd: string | undefined
  /** The home folder, where nothing around it is granted: many programs want to write there. */
  readonly home: string | undefined
}
