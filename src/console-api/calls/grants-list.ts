import type { CallNeeds, Handler } from '../call.ts'
import { showGrant } from '../show-grant.ts'

export function listGrants({ grants }: Pick<CallNeeds, 'grants'>): Handler<'grants/list'> {
  return async (body) => {
    const server = body.optionalText('server')
    return { grants: (await grants.list()).filter((grant) => server === undefined || grant.server === server).map(showGrant) }
  }
}
