import type { CallNeeds, Handler } from '../call.ts'
import { identityOfServer } from '../../policy/known-server.ts'

export function endForRun({ consents, timeline, config, tell }: Pick<CallNeeds, 'consents' | 'timeline' | 'config' | 'tell'>): Handler<'grants/end-run'> {
  return (body) => {
    const name = body.text('server')
    const connected = timeline.sessions.map(({ origin }) => origin.server).filter((server) => server.name === name)
    for (const server of [...connected, identityOfServer(name, config.current.mcpServers.get(name))]) consents.forgetRun(server)
    tell({ type: 'server-touched', name, what: 'grants' })
    return {}
  }
}
