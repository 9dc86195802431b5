import { ConsentryError } from '../../errors.ts'
import { identityOfServer } from '../../policy/known-server.ts'
import { expectedExposures } from '../exposures.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { listRootRows } from '../root-rows.ts'
import { rulesFor } from '../rule-rows.ts'
import { markOf } from '../seen.ts'
import { enforcementOf, showEntry } from '../server-entry.ts'
import { showGrant } from '../show-grant.ts'

type Needs = Pick<
  CallNeeds,
  'inbox' | 'consents' | 'servers' | 'config' | 'host' | 'timeline' | 'grants' | 'folders' | 'policy' | 'audit' | 'disk' | 'place' | 'now'
>

export function getServer(needs: Needs): Handler<'servers/get'> {
  return async (body) => {
    const name = body.text('name')
    const { servers, config, host, timeline, policy, inbox } = needs
    const summary = servers.list().find((server) => server.name === name)
    if (summary === undefined) throw new ConsentryError('SERVER_NOT_FOUND', `There is no server ${JSON.stringify(name)}`)
    const entry = config.current.mcpServers.get(name)
    const session = timeline.sessions.find(({ origin }) => origin.server.name === name)
    const identity = session?.origin.server ?? identityOfServer(name, entry)
    const status = host.statuses().get(name)
    const [roots, grants, budgets, told] = await Promise.all([
      listRootRows(needs),
      needs.grants.list(),
      policy.limitsOf({ kind: 'sampling', origin: { server: identity } }),
      expectedExposures(needs, name),
    ])
    return {
      ...summary,
      instructions: status?.state === 'ready' ? status.server.instructions : undefined,
      capabilities: status?.state === 'ready' ? status.server.capabilities : {},
      promised: session?.capabilities(),
      entry: entry && showEntry(entry),
      mark: entry && markOf(entry),
      stderr: servers.stderrOf(name),
      enforcement: enforcementOf(entry, summary.source === 'wrapped' ? session?.origin : undefined),
      // Of what was allowed to another command of this name this one is told nothing.
      roots: roots.filter((root) => (root.server === name && (session === undefined || root.away === undefined)) || root.server === '*'),
      rules: rulesFor(config.current.rules, name, needs.now()),
      grants: grants.filter((grant) => grant.server === name).map(showGrant),
      budgets,
      ownLimits: config.current.sampling.servers.get(name)?.limits ?? {},
      mappings: config.current.rootMappings.get(name) ?? [],
      told,
      forRun: needs.consents.ofRun(identity)?.says,
      muted: inbox.muted.some((server) => server.name === name),
      traffic: timeline.keepsTraffic(name),
    }
  }
}
