import type { JsonObject } from '../../protocol/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { scanOtherClients } from '../import-sources.ts'
import { addProposed, proposeServers } from '../propose-servers.ts'

/** The files of others are read anew each time; what is not in them any more as it was shown is stale. */
export function applyImport(needs: Pick<CallNeeds, 'place' | 'disk' | 'config' | 'edited'>): Handler<'import/apply'> {
  return async (body) => {
    const picks = body.bodies('picks').map((pick) => ({ source: pick.text('source'), name: pick.text('name'), as: pick.optionalText('as', 200) }))
    const isPreview = body.flag('preview')
    const found = await scanOtherClients(needs)
    const servers: (readonly [string, JsonObject])[] = []
    for (const { source: id, name, as } of picks) {
      const entry = found.find(({ source }) => source.id === id)?.entries.get(name)
      if (entry === undefined) return { status: 'stale' }
      servers.push([as ?? name, entry])
    }
    return isPreview ? proposeServers(needs, servers) : addProposed(needs, servers, body.text('shown', 100))
  }
}
