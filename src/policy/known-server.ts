import type { ServerIdentity, ServerTarget } from '../protocol/index.ts'

/** What the config says stands behind a name. */
export type KnownServer = Exclude<ServerTarget, { readonly kind: 'custom' }>

/** Whether a server is the one that the config knows under its name. */
export type Recognition = 'same' | 'different' | 'unlisted'

/**
 * Compares what is really started, or spoken to, with the entry of the same name: command and arguments, or the URL, must be equal.
 * `cwd` and the environment may differ.
 */
export function recognize(server: ServerIdentity, knownServers: ReadonlyMap<string, KnownServer>): Recognition {
  const known = knownServers.get(server.name)
  if (known === undefined) return 'unlisted'
  return isSameTarget(known, server.target) ? 'same' : 'different'
}

function isSameTarget(known: KnownServer, target: ServerTarget): boolean {
  if (known.kind === 'http') return target.kind === 'http' && target.url === known.url
  return (
    target.kind === 'stdio' &&
    target.command === known.command &&
    target.args.length === known.args.length &&
    target.args.every((argument, index) => argument === known.args[index])
  )
}
