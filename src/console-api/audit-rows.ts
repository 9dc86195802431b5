import type { AuditRecord } from '../audit/index.ts'
import { inputKinds, type DecidedBy } from '../protocol/index.ts'
import type { CallBody } from './call-body.ts'
import type { AuditFilter, AuditRow } from './contract.ts'
import { dayOf } from './read-day.ts'

const events: readonly AuditRow['event'][] = ['asked', 'review-opened', 'decided', 'answered', 'withdrawn', 'granted', 'revoked']
const deciders: readonly DecidedBy[] = ['person', 'rule', 'script', 'none']

/** An entry without its place in the chain, but for its position. */
export function rowOf({ previous: _previous, hash: _hash, ...entry }: AuditRecord): AuditRow {
  return entry
}

export function readAuditFilter(body: CallBody): AuditFilter {
  return {
    server: body.optionalText('server'),
    request: body.optionalOneOf('request', inputKinds),
    mode: body.optionalOneOf('mode', ['form', 'url']),
    event: body.optionalOneOf('event', events),
    by: body.optionalOneOf('by', deciders),
    from: body.optionalText('from', 10),
    to: body.optionalText('to', 10),
    search: body.optionalText('search'),
  }
}

export function fitsFilter(row: AuditRow, { server, request, mode, event, by, from, to, search }: AuditFilter): boolean {
  if (server !== undefined && row.server !== server) return false
  if (request !== undefined && row.request !== request) return false
  if (mode !== undefined && row.mode !== mode) return false
  if (event !== undefined && row.event !== event) return false
  if (by !== undefined && row.by !== by) return false
  const day = from === undefined && to === undefined ? '' : dayOf(Date.parse(row.at))
  if ((from !== undefined && day < from) || (to !== undefined && day > to)) return false
  return search === undefined || search === '' || JSON.stringify(row).toLowerCase().includes(search.toLowerCase())
}
