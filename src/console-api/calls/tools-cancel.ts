import type { CallNeeds, Handler } from '../call.ts'

export function cancelCall({ calls }: Pick<CallNeeds, 'calls'>): Handler<'tools/cancel'> {
  return (body) => {
    calls.cancel(body.text('id'))
    return {}
  }
}
