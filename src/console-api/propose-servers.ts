import { ConsentryError } from '../errors.ts'
import { parseConfig, putServer, type Config } from '../policy/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { CallNeeds } from './call.ts'
import { changeConfig, previewConfig, stale } from './change-config.ts'
import type { AlreadyNamed, ConfigChange } from './contract.ts'
import { markOf } from './seen.ts'
import { maskedText } from './server-entry.ts'

type NewServer = readonly [name: string, entry: JsonObject]

/** What new servers would look like in the config, and what it says already of servers of their names, which would hold for them. */
export function proposeServers({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>, servers: readonly NewServer[]): Promise<ConfigChange> {
  const text = textOf(servers)
  const named = namedAlready(config.current, servers)
  return previewConfig(undefined, text, (source) => addTo(source, config.current.mcpServers, servers, edited)).then((answer) =>
    answer.status === 'preview' ? { ...answer, named, shown: markOf({ servers, named }) } : answer,
  )
}

/** Writes new servers into the config as they were proposed; others, or what would hold for them now in another way, is stale. */
export function addProposed({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>, servers: readonly NewServer[], shown: string): Promise<ConfigChange> {
  return changeConfig(config, textOf(servers), (source) => {
    const now = parseConfig(source ?? '{}', edited.file, edited)
    if (markOf({ servers, named: namedAlready(now, servers) }) !== shown) throw stale
    return addTo(source, now.mcpServers, servers, edited)
  })
}

function addTo(source: string | undefined, before: Config['mcpServers'], servers: readonly NewServer[], edited: CallNeeds['edited']): string {
  const taken = new Set(before.keys())
  return servers.reduce((text: string | undefined, [name, entry]) => {
    if (taken.has(name)) throw new ConsentryError('CONFIG_INVALID', `There is a server ${JSON.stringify(name)} already: give this one another name.`)
    taken.add(name)
    return putServer(text, name, entry, edited)
  }, source) as string
}

function textOf(servers: readonly NewServer[]): string {
  return servers.map(([name, entry]) => maskedText(name, entry)).join(',\n')
}

function namedAlready({ roots, rootMappings, rules, sampling }: Config, servers: readonly NewServer[]): readonly AlreadyNamed[] {
  return servers
    .map(([server]) => ({
      server,
      folders: (roots.get(server) ?? []).map(({ path }) => path),
      rules: rules.filter((rule) => rule.server === server),
      settings: sampling.servers.has(server) || rootMappings.has(server),
    }))
    .filter(({ folders, rules: about, settings }) => folders.length > 0 || about.length > 0 || settings)
}
