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
  /** One English sentence: why the folder is not told. */
  readonly reason?: string | undefined
}

/** A folder that a person may consent to, with what they should know before. */
export interface ProposedFolder extends RootState {
  /** One English sentence: why it is proposed. */
  readonly why?: string | undefined
  /** One English sentence to be read first; such a folder is told only where the decision says `confirmed`. */
  readonly warning?: string | undefined
}
