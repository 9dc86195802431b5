import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type ClientDocument,
  type EntryPlan,
  planInstall,
  planUninstall,
  readClientDocument,
  recordInstall,
  stillStanding,
  type Wrapper,
} from '../../clients/index.ts'
import { ConsentryError } from '../../errors.ts'
import { isJsonObject } from '../../protocol/index.ts'
import type { ExitCode } from '../exit.ts'
import { knownNames } from '../known-names.ts'
import { installableClients, type OtherClientFile } from '../other-clients.ts'
import type { Place } from '../place.ts'
import { openStateFolder, openToOthers } from '../state-folder.ts'
import { safeText } from '../terminal/safe-text.ts'
import { changeFiles } from './change-files.ts'
import { candidateAt, chooseFiles, readFiles, type FileChoice, type FoundFile } from './find-files.ts'
import { changeRecord, readRecord } from './keep-record.ts'
import type { ChangeOptions } from './planned-file.ts'
import { pathForCommand } from './program-path.ts'
import { proveEntry } from './prove-entry.ts'

export interface InstallOptions extends ChangeOptions, FileChoice {
  /** Names of servers; none is all of them. */
  readonly servers: readonly string[]
  /** Seconds that a server is given to start. */
  readonly wait: number
}

/** `consentry install`: puts `consentry wrap` before the servers of other clients, after showing what it would write, and starting each once. */
export async function runInstall(options: InstallOptions, place: Place): Promise<ExitCode> {
  const wrapper = thisProgram()
  const files = await readFiles(chooseFiles(options, place))
  const names = requireNames(options.servers, files)
  await readRecord(place)
  sayAbout(wrapper, files, place)
  return changeFiles(
    files,
    {
      command: 'install',
      plan: ({ document }) => planEntries(document, names, place),
      prove: ({ folder }, { entry }, after) =>
        proveEntry(
          after,
          { wrapper, folder: entry.project ?? folder, waitMs: options.wait * 1000, environment: place.environment, signal: place.interrupted },
          place,
        ),
      // First, so that what was written can always be taken back: what is recorded and never written does no harm.
      before: ({ found, plans }) => changeRecord(found.read.real, (before) => recordInstall(before, plans, found.document), place),
    },
    options,
    place,
  )
}

/** What install makes of the servers of a file, on this machine. @param names undefined is all of them */
export function planEntries(document: ClientDocument, names: ReadonlySet<string> | undefined, place: Place): readonly EntryPlan[] {
  const wrapper = thisProgram()
  return planInstall(document, {
    wrapper,
    names,
    pathFor: (command, { value }) => pathForCommand(command, pathOf(isJsonObject(value) ? value['env'] : undefined), wrapper.node, place),
  })
}

/** `consentry uninstall`: gives every entry back what stood there before, or takes our words out of what was changed since. */
export async function runUninstall(options: Omit<InstallOptions, 'wait'>, place: Place): Promise<ExitCode> {
  const record = await readRecord(place)
  // Also where install was told of a file that we do not know, or of a project that we are not in.
  const recorded = options.config.length > 0 || options.client.length > 0 ? [] : [...record.keys()].map((file) => candidateAt(file, place))
  const files = await readFiles([...chooseFiles(options, place), ...recorded])
  const names = requireNames(options.servers, files)
  return changeFiles(
    files,
    {
      command: 'uninstall',
      plan: ({ read, document }) => planUninstall(document, { recorded: record.get(read.real) ?? [], names }),
      // What stands no more and is still recorded does no harm either, and is forgotten with the next change.
      after: async ({ found: { read, file, format } }, text) => {
        const now = readClientDocument(text, file, format === 'codex-toml' ? undefined : format)
        if (record.has(read.real)) await changeRecord(read.real, (before) => stillStanding(before, now), place).catch(ignoreFault)
      },
    },
    options,
    place,
  )
}

/** Where node and this program are; both absolute, links followed. */
export function thisProgram(): Wrapper {
  return { node: process.execPath, program: realpathSync(process.argv[1]!) }
}

function requireNames(names: readonly string[], files: readonly FoundFile[]): ReadonlySet<string> | undefined {
  if (names.length === 0) return undefined
  const known = new Set(files.flatMap(({ document }) => document?.entries.map(({ name }) => name) ?? []))
  const missing = names.find((name) => !known.has(name))
  if (missing === undefined) return new Set(names)
  const advice = installableClients.some((client) => client === missing) ? `. Is --client ${missing} meant?` : knownNames(missing, [...known], 'they have')
  throw new ConsentryError('SERVER_NOT_FOUND', `no server ${JSON.stringify(missing)} is in these files${advice}`)
}

function ignoreFault(error: unknown): void {
  if (!(error instanceof ConsentryError)) throw error
}

function pathOf(env: unknown): string | undefined {
  if (!isJsonObject(env)) return undefined
  const path = env['PATH'] ?? env['Path']
  return typeof path === 'string' && !path.includes('${') ? path : undefined
}

/** What a person should know before they say yes. */
function sayAbout({ program }: Wrapper, files: readonly Pick<OtherClientFile, 'scope'>[], place: Place): void {
  const say = (sentence: string): void => void place.stderr.write(`consentry: ${safeText(sentence)}\n`)
  if (/[\\/]_npx[\\/]/.test(program))
    say(`this program runs from a folder that npm may empty at any time (${dirname(program)}): install it first, with npm install --global consentry`)
  if (files.some(({ scope }) => scope === 'project'))
    say('files of the project are among these: whoever shares them with others shares these paths. --client and --config say which files are meant')
  const state = openStateFolder(place)
  if (openToOthers(state, place).length > 0) say(`others can look into the state folder ${state.path}: chmod -R go= '${state.path}' keeps it for you alone`)
  if (place.environment['CONSENTRY_HOME']) say('CONSENTRY_HOME is set here: the clients must have it too, or their wraps find another desk')
}
