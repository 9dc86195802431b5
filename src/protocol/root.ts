import type { Phrase } from './phrase.ts'

/** A folder, or a single file, that a server may be told about. @see MCP client/roots "Root" */
export interface Root {
  /** A canonical `file://` URI. */
  readonly uri: string
  readonly name?: string | undefined
}

/** Whether a consented folder can be told right now, and if not, why. `unmapped`: the server runs on another machine, which knows no such folder. */
export type RootStatus = 'ok' | 'missing' | 'denied' | 'replaced' | 'unreachable' | 'unmapped'

/** A consented folder with what the user wrote, for lists and screens. */
export interface RootState {
  readonly path: string
  readonly name?: string | undefined
  readonly status: RootStatus
  /** What the server sees in the folder's place; absent while there is no such URI. */
  readonly uri?: string | undefined
  /** Why the folder is not told: `folder-missing` and so on by status, `concern-…`, `path-…`. */
  readonly reason?: Phrase | undefined
  /** Git's repository of it, elsewhere, which a server that is held to its folders may read too. */
  readonly repository?: string | undefined
}

/** A folder that a server is told, for whoever holds it to its folders: the server itself hears nothing of this. */
export interface FolderTerms {
  readonly path: string
  /** Device and inode of what was told: nothing else is taken for it. */
  readonly identity: string
  /** See `RootState`. */
  readonly repository?: string | undefined
}

/** A folder that a person may consent to, with what they should know before. */
export interface ProposedFolder extends RootState {
  /** Why it is proposed: `holds-evidence`, `among-arguments`, `taken-place`, `other-command`, `said-before`. */
  readonly why?: Phrase | undefined
  /** Git keeps its repository there, where the server, which is held to its folders, cannot reach it: it may be let read it, where a person says so. */
  readonly offeredRepository?: string | undefined
  /** To be read first (`concern-…`); such a folder is told only where the decision says `confirmed`. */
  readonly warning?: Phrase | undefined
}
