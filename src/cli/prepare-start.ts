import { resolve } from 'node:path'
import { ConsentryError } from '../errors.ts'
import type { HeldFolder, StartCommand } from '../sandbox/index.ts'
import { isWithin, placeAt } from '../paths/place.ts'
import { readRootOption } from '../roots/root-entry.ts'
import { configuredRoots } from '../policy/configured-roots.ts'
import type { Config } from '../policy/config.ts'
import { recognize } from '../policy/known-server.ts'
import { fixesFolders, readRootsTo, readSandboxWish, rootsToForms, sandboxForms, type StartWishes } from '../policy/start-wishes.ts'
import type { FolderTerms, ServerIdentity } from '../protocol/index.ts'
import { homeOf, stateFolderOf, type Place } from './place.ts'
import { findGivenFolders } from './propose-folders.ts'
import { realPathOf } from './uncovered-roots.ts'

/** What is known of a server's folders before it is started: those that were typed, and those of the config. */
export interface StartFolders {
  readonly root?: readonly string[] | undefined
  /** For a held server to read only. */
  readonly readRoot?: readonly string[] | undefined
  readonly config: Pick<Config, 'roots' | 'mcpServers' | 'alwaysAsk' | 'rules'>
  /** All that it is told now, where it is started afresh: no more is given, whatever else is known. */
  readonly told?: readonly ToldFolder[] | undefined
}

/** A folder that a server is told; an older desk says no more of it than its path. */
export type ToldFolder = Pick<FolderTerms, 'path' | 'repository'> & Partial<FolderTerms>

/** The same on a command line, as typed. */
export interface TypedWishes {
  readonly sandbox?: string | undefined
  readonly sandboxRead?: readonly string[] | undefined
  readonly rootsTo?: string | undefined
}

/** Only what was typed has a key. @throws ConsentryError `USAGE` */
export function readWishes({ sandbox, sandboxRead = [], rootsTo }: TypedWishes): StartWishes {
  const held = sandbox === undefined ? undefined : (readSandboxWish(sandbox) ?? refuse('--sandbox', sandboxForms))
  const told = rootsTo === undefined ? undefined : (readRootsTo(rootsTo) ?? refuse('--roots-to', rootsToForms))
  return { ...(held && { sandbox: held }), ...(sandboxRead.length > 0 && { sandboxRead }), ...(told && { rootsTo: told }) }
}

function refuse(option: string, forms: string): never {
  throw new ConsentryError('USAGE', `${option} is ${forms}`)
}

/** A command that is ready to be started. */
export interface PreparedStart extends StartCommand {
  /** What it is held to; undefined where it is not held. */
  readonly held?: readonly HeldFolder[] | undefined
  /** The folders that it is given now, where it learns of others with a fresh start only. */
  readonly startedWith?: readonly string[] | undefined
  /** Sentences for a person: what is enforced, and what is not. */
  readonly says: readonly string[]
}

/** What the config wants for a server that is named on the command line, where it is the one that the config knows. */
export function configuredWishes(identity: ServerIdentity, { mcpServers }: Pick<Config, 'mcpServers'>): StartWishes {
  const entry = mcpServers.get(identity.name)
  return entry?.kind === 'stdio' && identity.named && recognize(identity, mcpServers) === 'same' ? (entry.wishes ?? {}) : {}
}

/**
 * Makes a server's command ready: its folders as arguments or in its environment, and the sandbox around it.
 *
 * @throws ConsentryError `ROOT_INVALID`, `SANDBOX_UNAVAILABLE`, `SERVER_UNREACHABLE`: nothing has been started then
 */
export async function prepareStart(
  start: StartCommand,
  wishes: StartWishes,
  identity: ServerIdentity,
  folders: StartFolders,
  place: Place,
): Promise<PreparedStart> {
  const consented = startFolders(identity, folders, place)
  const remembered =
    fixesFolders(wishes) && folders.told === undefined ? await (await import('./remembered-roots.ts')).rememberedRoots(identity, folders.config, place) : []
  const known = [...consented, ...remembered.map(({ path, identity }): HeldFolder => ({ path, identity, access: 'read-write' }))]
  const roots = folders.told?.map(({ path, identity }): HeldFolder => ({ path, identity, access: accessTo(path, consented) })) ?? known
  const repositories = [...remembered, ...(folders.told ?? [])].flatMap(({ repository }) => repository ?? [])
  const paths = roots.map(({ path }) => path)
  const told = tellRoots(start, wishes, paths, place)
  if (!wishes.sandbox) return { ...told, says: [], ...(fixesFolders(wishes) && { startedWith: paths }) }
  const { holdServer } = await import('../sandbox/index.ts')
  const held = await holdServer(
    { ...told, cwd: told.cwd ?? place.cwd },
    {
      roots,
      readable: [...(wishes.sandboxRead ?? []).map((path) => resolve(place.cwd, path)), ...repositories],
      isOffline: wishes.sandbox.isOffline,
      home: homeOf(place),
      state: stateFolderOf(place),
    },
  )
  // What was made for it is removed with this process.
  const { command, args, env, cwd } = held
  const says = [...held.says, ...(await sayShutOut(start.args, held.granted, place))]
  const reached = held.roots.flatMap((root) => placeAt(root.path, 'posix') ?? [])
  const startedWith = paths.filter((path) => reached.some((root) => isWithin(placeAt(realPathOf(path), 'posix')!, root)))
  return { command, args, env, cwd, says, held: held.roots, startedWith }
}

/** A folder that stands among the arguments is not granted by that: whoever thinks so has a server that cannot read there. */
async function sayShutOut(args: readonly string[], granted: readonly string[], place: Place): Promise<readonly string[]> {
  const open = granted.flatMap((path) => placeAt(path, 'posix') ?? [])
  return (await findGivenFolders(place, args))
    .filter(({ path }) => !open.some((one) => isWithin(placeAt(realPathOf(path), 'posix')!, one)))
    .map(({ path }) => `its command names ${path}, where it is not let in by that: add --root ${path} (in the config: "roots")`)
}

/** The folders that stand on the command line and in the config. */
function startFolders(identity: ServerIdentity, { root = [], readRoot = [], config }: StartFolders, place: Place): readonly HeldFolder[] {
  const context = { platform: place.platform === 'win32' ? 'win32' : 'posix', cwd: place.cwd, home: homeOf(place) } as const
  const typed = (texts: readonly string[], access: HeldFolder['access']): readonly HeldFolder[] =>
    texts.map((text) => ({ path: readRootOption(text, context).path, access }))
  return [
    ...typed(root, 'read-write'),
    ...typed(readRoot, 'read'),
    ...configuredRoots(config, identity).granted.map(({ path, readOnly: isReadOnly }): HeldFolder => ({
      path,
      access: isReadOnly ? 'read' : 'read-write',
    })),
  ]
}

/** What is for reading only stays so, by whatever name it is told. */
function accessTo(path: string, known: readonly HeldFolder[]): HeldFolder['access'] {
  const same = known.filter((folder) => realPathOf(folder.path) === realPathOf(path))
  return same.length > 0 && same.every(({ access }) => access === 'read') ? 'read' : 'read-write'
}

/** For servers that do not ask: the folders after their arguments, or in a variable, as lists of paths are written on the system. */
function tellRoots(start: StartCommand, { rootsTo }: StartWishes, paths: readonly string[], { platform }: Place): StartCommand {
  if (rootsTo === undefined) return start
  const each = [...new Set(paths)]
  if (rootsTo.kind === 'arguments') return { ...start, args: [...start.args, ...each] }
  return { ...start, env: { ...start.env, [rootsTo.name]: each.join(platform === 'win32' ? ';' : ':') } }
}
