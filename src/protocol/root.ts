/** A folder, or a single file, that a server may be told about. @see MCP client/roots "Root" */
export interface Root {
  /** A canonical `file://` URI. */
  readonly uri: string
  readonly name?: string | undefined
}

/** Whether a consented folder can be told right now, and if not, why. */
export type RootStatus = 'ok' | 'missing' | 'denied' | 'replaced' | 'unreachable'

/** A consented folder with what the user wrote, for lists and screens. */
export interface RootState {
  readonly path: string
  readonly name?: string | undefined
  readonly status: RootStatus
  /** Absent while the path cannot be written as a URI. */
  readonly uri?: string | undefined
}
