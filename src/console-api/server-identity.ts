import type { ServerEntry } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'

/** Who a server of the config is, as the host would say it. */
export function identityOfServer(name: string, entry: ServerEntry | undefined): ServerIdentity {
  if (entry === undefined) return { name, named: true, target: { kind: 'custom', description: name } }
  if (entry.kind === 'http') return { name, named: true, target: { kind: 'http', url: entry.url } }
  return { name, named: true, target: { kind: 'stdio', command: entry.command, args: entry.args, cwd: entry.cwd } }
}
