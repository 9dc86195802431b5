import type { ServerIdentity, ServerTarget } from '../protocol/index.ts'

/** What the config says stands behind a name. */
export type KnownServer = Exclude<ServerTarget, { readonly kind: 'custom' }>

/** Who a server of the config is, as the host would say it; of a name that it lacks, only the name is known. */
export function identityOfServer(name: string, known: KnownServer | undefined): ServerIdentity {
  if (known === undefined) return { name, named: true, target: { kind: 'custom', description: name } }
  if (known.kind === 'http') return { name, named: true, target: { kind: 'http', url: known.url } }
  return { name, named: true, target: { kind: 'stdio', command: known.command, args: known.args, cwd: known.cwd } }
}

/** Whether a server is the one that the config knows under its name. */
export type Recognition = 'same' | 'different' | 'unlisted'

/**
 * Compares what is really started, or spoken to, with the entry of the same name: command and arguments, or the URL, must be equal.
 * Where one of them is a path that means another file in another folder, so must the folder be. The environment may differ.
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
    target.args.every((argument, index) => argument === known.args[index]) &&
    (sameFolder(known.cwd, target.cwd) || ![target.command, ...target.args].some(isRelativePath))
  )
}

const ABSOLUTE = /^(?:[A-Za-z]:)?[\\/]|^~[\\/]|:\/\//
/** `@scope/package`, which is looked up by its name. */
const PACKAGE = /^@[^\\/]+\/[^\\/]+$/
const FILE = /[\\/]|\.(?:[cm]?[jt]sx?|py|rb|jar|sh|exe|cmd|bat|ps1)$/i

/** `./server`, `dist/index.js`, `server.py`: what they are depends on where they are looked for. */
function isRelativePath(argument: string): boolean {
  const word = argument.startsWith('-') ? argument.slice(argument.indexOf('=') + 1) : argument
  return FILE.test(word) && !ABSOLUTE.test(word) && !PACKAGE.test(word)
}

/** `/a/./b/` is `/a/b`, as far as text can tell. */
function sameFolder(known: string | undefined, real: string | undefined): boolean {
  const spell = (path: string | undefined): string | undefined => path?.replaceAll(/(?<=[\\/])(?:\.?[\\/])+|[\\/]\.?$/g, '')
  return spell(known) === spell(real)
}
