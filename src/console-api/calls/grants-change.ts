import { ConsentryError } from '../../errors.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { readDay } from '../read-day.ts'

/** A consent holds to the end of a day. One that is to end at once is revoked. */
export function changeGrant({ grants, tell, now }: Pick<CallNeeds, 'grants' | 'tell' | 'now'>): Handler<'grants/change'> {
  return async (body) => {
    const id = body.text('id')
    const end = readDay(body.text('until', 10), 'last')
    if (end < now()) throw new ConsentryError('USAGE', 'This day is over: revoke the consent instead.')
    const server = (await grants.list()).find((grant) => grant.id === id)?.server
    const changed = await grants.setEnd(id, end)
    if (server !== undefined) tell({ type: 'server-touched', name: server, what: 'grants' })
    return { changed }
  }
}
