import { ConsentryError } from '../errors.ts'
import { readClientConfig } from '../policy/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { CallNeeds } from './call.ts'
import type { ImportCandidate, ImportSource } from './contract.ts'
import { faultOf } from './server-board.ts'
import { entryJson, showEntry } from './server-entry.ts'

/** A source as it is shown, and the entries behind it, which stay here. */
export interface FoundSource {
  readonly source: ImportSource
  readonly entries: ReadonlyMap<string, JsonObject>
}

const LARGEST_FILE = 4 * 1024 * 1024

/** Looks into the config files of other clients; those that are not there are left out. Nothing is changed in them. */
export async function scanOtherClients({
  place,
  disk,
  config,
  edited,
}: Pick<CallNeeds, 'place' | 'disk' | 'config' | 'edited'>): Promise<readonly FoundSource[]> {
  const found = await Promise.all(
    place.otherClients.map(async ({ client, file, format }, index): Promise<FoundSource | undefined> => {
      if ((await disk.inspect(file)).kind !== 'file') return undefined
      const id = `${index}:${client}`
      const text = await disk.readText(file, LARGEST_FILE)
      try {
        if (text === undefined) throw new ConsentryError('CONFIG_INVALID', `${file} cannot be read.`)
        const servers = readClientConfig(text, { ...edited, file, format })
        const entries = new Map(servers.flatMap(({ name, entry }) => (entry ? [[name, entryJson(entry)] as const] : [])))
        const candidates = servers.map(({ name, entry, fault }): ImportCandidate => {
          const own = config.current.mcpServers.get(name)
          const known = own === undefined ? 'no' : entry && JSON.stringify(entryJson(own)) === JSON.stringify(entryJson(entry)) ? 'same' : 'different'
          return { name, entry: entry && showEntry(entry), fault: fault && faultOf(fault), known }
        })
        return { source: { id, client, file, servers: candidates }, entries }
      } catch (error) {
        if (!(error instanceof ConsentryError)) throw error
        return { source: { id, client, file, fault: faultOf(error), servers: [] }, entries: new Map() }
      }
    }),
  )
  return found.filter((source) => source !== undefined)
}
