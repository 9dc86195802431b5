import type { ConsentryError } from '../errors.ts'
import type { ServerDescription } from '../mcp/index.ts'
import type { Revision } from '../protocol/index.ts'

/** How it stands with one server. */
export type ServerStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | { readonly state: 'ready'; readonly revision: Revision; readonly server: ServerDescription }
  /** It was ready and is gone; the next try is due after so many milliseconds. */
  | { readonly state: 'reconnecting'; readonly error: ConsentryError; readonly attempt: number; readonly inMs: number }
  /** Nothing is tried any more until somebody says so. */
  | { readonly state: 'failed'; readonly error: ConsentryError }
  | { readonly state: 'closed' }
