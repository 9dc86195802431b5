import type { AuditSink } from '../audit/index.ts'

/** A consent that was given, or taken back, outside of any question. */
export interface ConsentRecord {
  readonly event: 'granted' | 'revoked'
  /** Our name for the server; `*` is every server. */
  readonly server: string
  readonly path: string
  /** Where it stood: in the config, remembered, or for this run. */
  readonly source: 'config' | 'grant' | 'run'
  /** Where the person did it. */
  readonly surface: string
}

/** Has the log say who gave a folder to a server, or took it back: no consent without. @throws ConsentryError `AUDIT_UNAVAILABLE` */
export async function recordConsent(audit: AuditSink, { event, server, path, source, surface }: ConsentRecord): Promise<void> {
  const question = globalThis.crypto.randomUUID()
  await audit.append({ event, question, request: 'roots', server, connection: 'none', by: 'person', surface, facts: { [event]: [path], source } })
}
