import type { CallNeeds, Handler } from '../call.ts'

export function revokeGrant({ grants, tell }: Pick<CallNeeds, 'grants' | 'tell'>): Handler<'grants/revoke'> {
  return async (body) => {
    const id = body.text('id')
    const server = (await grants.list()).find((grant) => grant.id === id)?.server
    const revoked = await grants.revoke(id)
    if (server !== undefined) tell({ type: 'server-touched', name: server, what: 'grants' })
    return { revoked }
  }
}
