import type { CallNeeds, Handler } from '../call.ts'
import { identityOfServer } from '../../policy/known-server.ts'

/** What all together have used does not depend on who is asked about. */
const anybody = identityOfServer('*', undefined)

export function getLimits({ config, policy }: Pick<CallNeeds, 'config' | 'policy'>): Handler<'limits/get'> {
  return async () => {
    const { total = {}, servers } = config.current.sampling
    const states = await policy.limitsOf({ kind: 'sampling', origin: { server: anybody } })
    return { limits: { total, each: servers.get('*')?.limits ?? {} }, used: states.filter(({ scope }) => scope === 'total') }
  }
}
