import { Grants, Policy } from '../policy/index.ts'
import type { Config } from '../policy/config.ts'
import { latestLegacyRevision, type FolderTerms, type ServerIdentity } from '../protocol/index.ts'
import { RootList, type ServerRoots } from '../roots/index.ts'
import { homeOf, stateFolderOf, type Place } from './place.ts'
import { useStore } from './use-store.ts'

/**
 * Folders that people said yes to in earlier runs, and that would be told without a question now: so a held server can reach them from its start. What cannot be read
 * is not given.
 */
export async function rememberedRoots(
  server: ServerIdentity,
  { alwaysAsk, rules, mcpServers }: Pick<Config, 'alwaysAsk' | 'rules' | 'mcpServers'>,
  place: Place,
): Promise<readonly FolderTerms[]> {
  if (alwaysAsk) return []
  return useStore(
    place,
    async (store) => {
      const list = new RootList({ grants: new Grants({ store }), home: homeOf(place), state: stateFolderOf(place) })
      return tellableFolders(list.open(server), server, new Policy({ rules, knownServers: mcpServers }))
    },
    [],
  ).catch(() => [])
}

/** The folders that a server could be told now without a question; they are closed then. What cannot be recalled is not among them. */
export async function tellableFolders(roots: ServerRoots, server: ServerIdentity, policy: Pick<Policy, 'decide'>): Promise<readonly FolderTerms[]> {
  const origin = { server, connection: 'none yet', era: 'legacy', revision: latestLegacyRevision } as const
  try {
    await roots.recall().catch(() => undefined)
    if (roots.isRefused || policy.decide({ kind: 'roots', origin }).outcome === 'deny') return []
    return await roots.terms()
  } finally {
    roots.close()
  }
}
