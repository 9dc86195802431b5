import { ConsentryError } from '../../errors.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { readDay } from '../read-day.ts'
import { readGrantedEntry } from '../../roots/granted-folders.ts'
import { recordConsent } from '../../roots/record-consent.ts'

/** A consent holds to the end of a day. One that is to end at once is revoked. */
export function changeGrant({ grants, tell, now, audit }: Pick<CallNeeds, 'grants' | 'tell' | 'now' | 'audit'>): Handler<'grants/change'> {
  return async (body) => {
    const id = body.text('id')
    const end = readDay(body.text('until', 10), 'last')
    if (end < now()) throw new ConsentryError('USAGE', 'This day is over: revoke the consent instead.')
    const grant = (await grants.list()).find((one) => one.id === id)
    const changed = await grants.setEnd(id, end)
    if (grant === undefined) return { changed }
    const { server, kind, details, expiresAt } = grant
    tell({ type: 'server-touched', name: server, what: 'grants' })
    if (changed) {
      const path = kind === 'roots' ? readGrantedEntry(details)?.path : undefined
      await recordConsent(audit, { event: 'granted', server, request: kind, path, source: 'grant', until: end, surface: 'console' }).catch(
        async (error: unknown) => {
          // No longer than the log says.
          if (expiresAt !== undefined && expiresAt < end) await grants.setEnd(id, expiresAt)
          throw error
        },
      )
    }
    return { changed }
  }
}
