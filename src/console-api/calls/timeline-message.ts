import type { CallNeeds, Handler } from '../call.ts'

export function getMessage({ timeline }: Pick<CallNeeds, 'timeline'>): Handler<'timeline/message'> {
  return (body) => {
    const json = timeline.messageOf(body.count('id'))
    return json === undefined ? {} : { json }
  }
}
