import { readGrantedEntry } from '../../roots/granted-folders.ts'
import { recordConsent } from '../../roots/record-consent.ts'
import type { CallNeeds, Handler } from '../call.ts'

export function revokeGrant({ grants, tell, audit }: Pick<CallNeeds, 'grants' | 'tell' | 'audit'>): Handler<'grants/revoke'> {
  return async (body) => {
    const id = body.text('id')
    const grant = (await grants.list()).find((one) => one.id === id)
    const revoked = await grants.revoke(id)
    if (grant !== undefined) tell({ type: 'server-touched', name: grant.server, what: 'grants' })
    const folder = revoked && grant?.kind === 'roots' ? readGrantedEntry(grant.details) : undefined
    if (folder) await recordConsent(audit, { event: 'revoked', server: grant!.server, path: folder.path, source: 'grant', surface: 'console' })
    return { revoked }
  }
}
