import type { CallNeeds, Handler } from '../call.ts'
import { addProposed, proposeServers } from '../propose-servers.ts'
import { readEntry } from '../server-entry.ts'
import { startWhenWritten } from '../start-later.ts'

export function addServer(needs: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/add'> {
  return (body) => {
    const name = body.text('name', 200)
    const servers = [[name, readEntry(body.body('entry'), undefined)]] as const
    if (body.flag('preview')) return proposeServers(needs, servers)
    return startWhenWritten(needs.host, name, addProposed(needs, servers, body.text('shown', 100)))
  }
}
