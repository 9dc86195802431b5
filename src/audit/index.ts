export type { AuditEntry, AuditEvent, AuditSink } from './audit-entry.ts'
