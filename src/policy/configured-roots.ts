import type { RootMapping } from '../paths/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import type { Config, RootEntry } from './config.ts'
import { recognize } from './known-server.ts'

/** Folders of the config for one server. */
export interface ConfiguredRoots {
  /** The user consented to these. */
  readonly granted: readonly RootEntry[]
  /** Meant for another command under this name: a person is asked. */
  readonly proposed: readonly RootEntry[]
}

/** The folders that the config has for a server: those of its name, where the user gave the name, and those of `*`. */
export function configuredRoots(config: Pick<Config, 'roots' | 'mcpServers'>, server: ServerIdentity): ConfiguredRoots {
  const everyone = config.roots.get('*') ?? []
  const own = server.named && server.name !== '*' ? (config.roots.get(server.name) ?? []) : []
  if (recognize(server, config.mcpServers) === 'different') return { granted: everyone, proposed: own }
  return { granted: [...own, ...everyone], proposed: [] }
}

/** How a server that has other files than this machine knows its folders; nothing for another command of its name. */
export function configuredMappings(config: Pick<Config, 'mcpServers' | 'rootMappings'>, server: ServerIdentity): readonly RootMapping[] {
  const isMeant = server.named && recognize(server, config.mcpServers) !== 'different'
  return isMeant ? (config.rootMappings.get(server.name) ?? []) : []
}
