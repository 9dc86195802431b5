import type { KeptEntry } from '../audit/index.ts'

/** That a server was told of a folder. */
export interface Exposure {
  /** Our name for the server. */
  readonly server: string
  /** When last; ISO 8601. */
  readonly at: string
}

/** Who was told of which folder, and when last, by the URI that was told: what the audit log says, oldest entry first. */
export async function readExposures(
  entries: AsyncIterable<Pick<KeptEntry, 'event' | 'request' | 'server' | 'at' | 'facts'>>,
): Promise<ReadonlyMap<string, readonly Exposure[]>> {
  const byUri = new Map<string, Map<string, string>>()
  for await (const { event, request, server, at, facts } of entries) {
    const uris = event === 'answered' && request === 'roots' ? facts?.['roots'] : undefined
    if (!Array.isArray(uris)) continue
    for (const uri of uris.filter((one: unknown) => typeof one === 'string')) {
      const servers = byUri.get(uri) ?? new Map<string, string>()
      // Put anew, so that whoever was told last stands last.
      servers.delete(server)
      byUri.set(uri, servers.set(server, at))
    }
  }
  return new Map(Array.from(byUri, ([uri, servers]) => [uri, Array.from(servers, ([server, at]) => ({ server, at })).toReversed()]))
}
