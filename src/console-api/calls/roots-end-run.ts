import { recordConsent } from '../../roots/record-consent.ts'
import type { CallNeeds, Handler } from '../call.ts'

export function endRootForRun({ folders, tell, audit }: Pick<CallNeeds, 'folders' | 'tell' | 'audit'>): Handler<'roots/end-run'> {
  return async (body) => {
    const [server, path] = [body.text('server'), body.text('path')]
    const ended = folders.endRun(server, path)
    tell({ type: 'server-touched', name: server, what: 'roots' })
    if (ended) await recordConsent(audit, { event: 'revoked', server, path, source: 'run', surface: 'console' })
    return { ended }
  }
}
