import type { CallNeeds, Handler } from '../call.ts'

export function unmuteServer({ inbox, tell }: Pick<CallNeeds, 'inbox' | 'tell'>): Handler<'servers/unmute'> {
  return (body) => {
    const name = body.text('name')
    for (const server of inbox.muted) if (server.name === name) inbox.unmute(server)
    tell({ type: 'server-touched', name, what: 'entry' })
    return {}
  }
}
