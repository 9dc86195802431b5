import { chmod, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { putServer, type Grants } from '../policy/index.ts'
import { PreferencesFile } from '../console-api/preferences-file.ts'
import { unwritten } from '../store/disk-advice.ts'
import { privateFiles } from '../store/index.ts'
import { configPlaceOf } from './open-config.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** What the demo runs on: a state folder inside the user's, with a config, a log, grants and preferences of its own; and beside it the folders of the tour. */
export interface DemoState {
  /** As the user's own, but for the state folder, and for where the tour's folders lie. */
  readonly place: Place
  /** How the travel server is started. */
  readonly server: { readonly name: string; readonly command: string; readonly args: readonly string[] }
  /** A copy of the demo's files, which the server may change. */
  readonly workspace: string
  /** What a person is offered when the server asks for folders. */
  readonly folders: readonly { readonly path: string }[]
}

const FILES = join(import.meta.dirname, '../demo')
const FOLDERS = ['travel-planning', 'travel-templates', 'client-documents']
const HEAD = '// The config of "consentry demo", apart from your own. The whole folder of the demo can be deleted at any time.\n{\n}\n'

/**
 * Makes the demo's state where there is none; what an earlier tour has left stays.
 *
 * @throws ConsentryError `CONFIG_INVALID` where somebody broke its config, `STORE_UNAVAILABLE` where its files cannot be written
 */
export async function openDemoState(place: Place): Promise<DemoState> {
  const folder = join(openStateFolder(place).path, 'demo')
  const workspace = join(folder, 'workspace')
  await copyFiles(workspace)
  const server = { name: 'travel', command: process.execPath, args: [join(FILES, 'travel-server.js')] }
  const own: Place = { ...place, cwd: workspace, environment: { ...place.environment, CONSENTRY_HOME: join(folder, 'state') } }
  const file = openStateFolder(own).configFile
  const entry = { command: server.command, args: server.args, cwd: workspace }
  await privateFiles.rewrite(file, (text) => putServer(text ?? HEAD, server.name, entry, { ...configPlaceOf(own), file }))
  const preferences = await PreferencesFile.open(openStateFolder(own).preferencesFile)
  // The tour is there again with each start, whoever closed it the last time.
  if (preferences.current.tourSeen === true) await preferences.set({ tourSeen: false })
  return { place: own, server, workspace, folders: FOLDERS.map((name) => ({ path: join(workspace, name) })) }
}

/** Nothing is remembered of an earlier tour, so that each asks everything; its log stays. */
export async function forgetGrants(grants: Pick<Grants, 'list' | 'revoke'>): Promise<void> {
  for (const { id } of await grants.list()) await grants.revoke(id)
}

async function copyFiles(workspace: string): Promise<void> {
  try {
    await privateFiles.makeFolder(workspace)
    await cp(join(FILES, 'workspace'), workspace, { recursive: true, force: false })
    await makePrivate(workspace)
  } catch (cause) {
    throw new ConsentryError('STORE_UNAVAILABLE', unwritten(workspace, cause), { cause })
  }
}

async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makePrivate(path)
    else if (entry.isFile()) await chmod(path, 0o600)
  }
}
