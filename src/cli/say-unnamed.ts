import type { Config } from '../policy/config.ts'
import type { ServerIdentity } from '../protocol/index.ts'

/** Says that folders of the config do not count for a server whose name was only derived from its command: somebody may have meant it. */
export function sayUnnamed({ name, named }: ServerIdentity, { roots }: Pick<Config, 'roots'>): readonly string[] {
  if (named || name === '*' || (roots.get(name) ?? []).length === 0) return []
  return [`the config has folders for "${name}", which count only for a server that you gave this name: add --name ${name}`]
}
