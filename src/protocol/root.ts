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
}

/** A folder that a person may consent to, with what they should know before. */
export interface ProposedFolder extends RootState {
  /** Why it is proposed: `holds-evidence`, `among-arguments`, `taken-place`, `other-command`, `said-before`. */
  readonly why?: Phrase | undefined
  /** To be read first (`concern-…`); such a folder is told only where the decision says `confirmed`. */
  readonly warning?: Phrase | undefined
}
