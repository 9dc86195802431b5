import type { CallNeeds, Handler } from '../call.ts'

export function setTraffic({ timeline, tell }: Pick<CallNeeds, 'timeline' | 'tell'>): Handler<'timeline/traffic'> {
  return (body) => {
    const server = body.text('server')
    timeline.setTraffic(server, body.flag('on'))
    tell({ type: 'server-touched', name: server, what: 'entry' })
    return {}
  }
}
