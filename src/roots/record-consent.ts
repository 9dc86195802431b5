import type { AuditSink } from '../audit/index.ts'
import type { InputKind } from '../protocol/index.ts'

/** A consent that was given, changed or taken back, outside of any question. */
export interface ConsentRecord {
  readonly event: 'granted' | 'revoked'
  /** Our name for the server; `*` is every server. */
  readonly server: string
  /** What it is about. Default: folders. */
  readonly request?: InputKind | undefined
  /** The folder; absent where it is about none. */
  readonly path?: string | undefined
  /** Where it stood: in the config, as another name for a folder there, remembered, or for this run. */
  readonly source: 'config' | 'mapping' | 'grant' | 'run'
  /** By which name the server is told the folder from then on. */
  readonly as?: string | undefined
  /** Until when it holds from then on, in milliseconds since the epoch. */
  readonly until?: number | undefined
  /** Where the person did it. */
  readonly surface: string
}

/** Has the log say who gave a consent, changed it or took it back: no consent without. @throws ConsentryError `AUDIT_UNAVAILABLE` */
export async function recordConsent(audit: AuditSink, { event, server, request = 'roots', path, source, as, until, surface }: ConsentRecord): Promise<void> {
  const question = globalThis.crypto.randomUUID()
  const facts = {
    ...(path !== undefined && { [event]: [path] }),
    source,
    ...(as !== undefined && { as }),
    ...(until !== undefined && { holds: new Date(until).toISOString() }),
  }
  await audit.append({ event, question, request, server, connection: 'none', by: 'person', surface, facts })
}
