import type { CallNeeds, Handler } from '../call.ts'
import { fitsFilter, readAuditFilter, rowOf } from '../audit-rows.ts'
import type { AuditRow } from '../contract.ts'

const MOST = 500
const PAGE = 1000
/** A filter that fits little is given up on after so many entries; the window may ask on. */
const MOST_LOOKED_AT = 20_000

export function listAudit({ audit }: Pick<CallNeeds, 'audit'>): Handler<'audit/list'> {
  return async (body) => {
    const limit = Math.min(body.optionalCount('limit') ?? 100, MOST)
    const filter = readAuditFilter(body.optionalBody('filter'))
    const entries: AuditRow[] = []
    let before = body.optionalCount('before')
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += PAGE) {
      const page = await audit.page({ before, limit: PAGE })
      for (const record of page) {
        before = record.position
        const row = rowOf(record)
        if (fitsFilter(row, filter)) entries.push(row)
        if (entries.length === limit) return { entries, next: before }
      }
      if (page.length < PAGE) return { entries }
    }
    return { entries, next: before }
  }
}
