import type { CallNeeds, Handler } from '../call.ts'

export function verifyAudit({ audit }: Pick<CallNeeds, 'audit'>): Handler<'audit/verify'> {
  return () => audit.verify()
}
