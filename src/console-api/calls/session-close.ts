import type { CallNeeds, Handler } from '../call.ts'

export function closeSession({ sessions }: Pick<CallNeeds, 'sessions'>): Handler<'session/close'> {
  return (_, { session }) => {
    sessions.close(session, 'signed-out')
    return {}
  }
}
