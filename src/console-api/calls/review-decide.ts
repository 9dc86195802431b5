import type { Decision } from '../../protocol/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

/** The name of this surface in the audit log. */
export const SURFACE = 'console'

export function decideReview({ inbox, media }: Pick<CallNeeds, 'inbox' | 'media'>): Handler<'review/decide'> {
  return (body) => {
    const id = body.text('id')
    const decision = body.object('decision')
    const kind = inbox.get(id)?.kind
    const isEdited = kind === 'prompt' || kind === 'completion'
    return inbox.decide(id, (isEdited ? media.restore(id, decision) : decision) as Decision, SURFACE)
  }
}
