import { ConsentryError } from '../errors.ts'
import type { ServerIdentity, ServerTarget } from '../protocol/index.ts'
import type { Place } from './place.ts'
import { nameAfterCommand } from './server-name.ts'

/** A server that is started by a command, as rules know it. */
export interface CommandIdentity extends ServerIdentity {
  readonly target: Extract<ServerTarget, { readonly kind: 'stdio' }>
}

/** @param command what stands after `--` @throws ConsentryError `USAGE` where that is nothing */
export function identifyCommand(command: readonly string[], name: string | undefined, { cwd }: Pick<Place, 'cwd'>): CommandIdentity {
  const [program, ...args] = command
  if (program === undefined) throw new ConsentryError('USAGE', 'a command is missing after --')
  return { name: name ?? nameAfterCommand(command, cwd), named: name !== undefined, target: { kind: 'stdio', command: program, args, cwd } }
}

/** What such a server finds in its environment: all of ours but what is meant for us. */
export function environmentOf({ environment }: Pick<Place, 'environment'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter((pair): pair is [string, string] => !pair[0].startsWith('CONSENTRY_') && pair[1] !== undefined))
}

/** The same environment with more folders behind those of PATH. Programs with a window are started with a short PATH, and their servers with it. */
export function withPath(
  environment: Readonly<Record<string, string>>,
  folders: string | undefined,
  { platform }: Pick<Place, 'platform'>,
): typeof environment {
  if (folders === undefined) return environment
  // On Windows, names of variables know no case.
  const name = platform === 'win32' ? (Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH') : 'PATH'
  const separator = platform === 'win32' ? ';' : ':'
  const before = (environment[name] ?? '').split(separator).filter((folder) => folder !== '')
  const more = folders.split(separator).filter((folder) => folder !== '' && !before.includes(folder))
  return { ...environment, [name]: [...before, ...more].join(separator) }
}
