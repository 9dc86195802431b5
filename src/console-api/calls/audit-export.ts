import type { CallNeeds, Handler } from '../call.ts'
import { fitsFilter, readAuditFilter, rowOf } from '../audit-rows.ts'

/** The whole entries, with their hashes, so that the file can be checked too. */
export function exportAudit({ audit, now }: Pick<CallNeeds, 'audit' | 'now'>): Handler<'audit/export'> {
  return async (body) => {
    const filter = readAuditFilter(body.optionalBody('filter'))
    const lines: string[] = []
    for await (const record of audit.export()) if (fitsFilter(rowOf(record), filter)) lines.push(JSON.stringify(record))
    const day = new Date(now()).toISOString().slice(0, 10)
    return { name: `consentry-audit-${day}.jsonl`, type: 'application/jsonl', text: lines.map((line) => `${line}\n`).join('') }
  }
}
