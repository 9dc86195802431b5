import { ConsentryError } from '../errors.ts'
import { mapRoot, openNodeDisk, readRootPath } from '../paths/index.ts'
import { addRoot, removeRoot, removeRootMapping, setRootMapping, type Config, type EditedFile } from '../policy/index.ts'
import { AuditLog } from '../audit/index.ts'
import { detectWorkspace, readRootOption, validateRoot, type FolderState, type RootEntry } from '../roots/index.ts'
import { recordConsent, type ConsentRecord } from '../roots/record-consent.ts'
import { LazyStore } from '../store/index.ts'
import { describeRemoved, findStill } from './still-told.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { knownNames } from './known-names.ts'
import { hasTerminal, homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'
import { offerRepository } from './offer-repository.ts'
import { createPrompts } from './terminal/prompts.ts'
import { safeText } from './terminal/safe-text.ts'
import { configPlaceOf, openConfig } from './open-config.ts'

export interface RootsOptions {
  readonly server?: string | undefined
  readonly json?: boolean | undefined
}

export interface AddRootOptions extends RootsOptions {
  readonly displayName?: string | undefined
  /** The URI by which a server with files of its own knows the folder. */
  readonly as?: string | undefined
  /** The answer to "are you sure?", given beforehand. */
  readonly yes?: boolean | undefined
}

const EVERY_SERVER = '*'
const FOR_EVERY_SERVER = 'consentry: every server may be told this folder, those that you add later too; --server NAME adds one for a single server.\n'
const UNMAPPED = 'This server has files of its own: it is told nothing until you say by which name it knows this folder (--as file:///…).\n'

/** `consentry roots add PATH`: puts a folder into the config, after a question where it should not be done lightly. */
export async function addConfiguredRoot(typed: string, options: AddRootOptions, place: Place): Promise<ExitCode> {
  const { server = EVERY_SERVER, json, displayName: name, as: uri } = options
  const { path } = read(typed, place)
  if (uri !== undefined && server === EVERY_SERVER) throw new ConsentryError('USAGE', '--as says how one server knows the folder: name it with --server')
  const validation = await validateRoot({ path, name }, { disk: openNodeDisk(), home: homeOf(place), state: openStateFolder(place).path })
  if (!validation.ok) throw new ConsentryError('ROOT_INVALID', `${path} cannot be a root. ${validation.reason}`)
  if (validation.level === 'block') throw new ConsentryError('ROOT_INVALID', `${path} is not told to any server. ${validation.warning?.sentence ?? ''}`)
  if (validation.level === 'confirm' && options.yes !== true) await confirm(`${path}: ${validation.warning?.sentence ?? 'look twice'}`, place)
  const { roots, rootMappings } = await readConfig(place)
  const isNew = !(roots.get(server) ?? []).some(isFolder(path, place))
  const otherName = rootMappings.get(server)?.findLast(isFolder(path, place))?.uri
  const config = await editConfig(place, (text, file) => {
    const added = addRoot(text, { server, path, name }, file)
    return uri === undefined ? added : setRootMapping(added, { server, path, uri }, file)
  })
  try {
    if (isNew) await writeDown({ event: 'granted', server, path, source: 'config' }, place)
    if (uri !== undefined && uri !== otherName) await writeDown({ event: 'granted', server, path, source: 'mapping', as: uri }, place)
  } catch (error) {
    // What no log knows of is not told, and by no other name.
    await editConfig(place, (text, file) => {
      const left = isNew ? removeRoot(text, { server, path }, file) : (text ?? '{}')
      if (uri === undefined) return left
      return otherName === undefined ? removeRootMapping(left, { server, path }, file) : setRootMapping(left, { server, path, uri: otherName }, file)
    })
    throw error
  }
  const seen = { status: validation.status, uri: validation.uri, ...seenElsewhere(path, server, config, place) }
  const state = { server, path: validation.path, name, ...seen }
  if (json) place.stdout.write(`${JSON.stringify(state)}\n`)
  else place.stdout.write(describe(state) + (state.status === 'unmapped' ? UNMAPPED : ''))
  if (state.status === 'missing') place.stderr.write(NOT_THERE)
  if (server === EVERY_SERVER) place.stderr.write(FOR_EVERY_SERVER)
  else if (!config.mcpServers.has(server)) place.stderr.write(describeUnknown(server, config))
  await offerRepository(
    { server, path, config },
    {
      ask: json === true || !hasTerminal(place) ? undefined : (question) => ask(question, 'Yes, and change nothing there', place),
      say: (sentence) => place.stderr.write(`consentry: ${sentence}\n`),
      edit: (change) => editConfig(place, change),
    },
  )
  return exitCodes.done
}

const NOT_THERE = 'consentry: there is no such folder now (was it mistyped?). It is in the config, and told once it is there; roots remove takes it out.\n'

/** It may be started by another application, under a name that was given there; or it is mistyped. */
function describeUnknown(server: string, { mcpServers }: Config): string {
  const known = [...mcpServers.keys()].map((name) => safeText(name, { maximum: 60 }))
  const name = safeText(server, { maximum: 60 })
  return `consentry: no server "${name}" is in the config${knownNames(name, known)}: the folder is for one that is started with --name ${name}.\n`
}

/** What a server with files of its own is told in the folder's place; nothing where it has the files of this machine. */
function seenElsewhere(path: string, server: string, { mcpServers, rootMappings }: Config, place: Place): Partial<Pick<FolderState, 'status' | 'uri'>> {
  const mappings = rootMappings.get(server) ?? []
  if (mappings.length === 0 && mcpServers.get(server)?.kind !== 'http') return {}
  const uri = mapRoot(path, mappings, configPlaceOf(place).platform)
  return uri === undefined ? { status: 'unmapped', uri } : { uri }
}

/** `consentry roots remove PATH`: takes a folder out of the config. Servers that run are told within a second. */
export async function removeConfiguredRoot(typed: string, { server = EVERY_SERVER, json }: RootsOptions, place: Place): Promise<ExitCode> {
  const { path } = read(typed, place)
  const config = await readConfig(place)
  if (config.roots.get(server)?.some(isFolder(path, place)) !== true)
    throw new ConsentryError('USAGE', `${path} is not in the list of ${server === EVERY_SERVER ? 'every server' : server}: consentry roots list shows what is`)
  const after = await editConfig(place, (text, file) => removeRoot(text, { server, path }, file))
  const still = await findStill(path, server, after, place)
  if (json) place.stdout.write(`${JSON.stringify({ server, path, still })}\n`)
  else place.stdout.write(describeRemoved(path, server, still))
  await writeDown({ event: 'revoked', server, path, source: 'config' }, place).catch((error: unknown) => {
    place.stderr.write(`consentry: it is taken back, and the log does not say so: ${(error as Error).message}\n`)
  })
  return exitCodes.done
}

/** `consentry roots detect [PATH]`: folders that could be the project, best first, each with its evidence. */
export async function detectRoots(typed: string | undefined, { json }: RootsOptions, place: Place): Promise<ExitCode> {
  const { path } = read(typed ?? place.cwd, place)
  const candidates = await detectWorkspace(path, { disk: openNodeDisk(), home: homeOf(place), state: openStateFolder(place).path })
  const rows = candidates.map(({ evidence, why, ...candidate }) => ({
    ...candidate,
    why: why.sentence,
    evidence: evidence.map(({ kind, file }) => `${kind}: ${file}`),
  }))
  if (json) place.stdout.write(`${JSON.stringify(rows)}\n`)
  else
    for (const row of rows)
      place.stdout.write(
        `${safeText(row.path, { maximum: Infinity })}  (${row.level})\n  ${safeText(row.why)}\n${row.evidence.map((one) => `  - ${safeText(one)}\n`).join('')}`,
      )
  return exitCodes.done
}

/** Whether an entry of the config is of this folder, in whatever spelling. */
function isFolder(path: string, place: Place): (entry: Pick<RootEntry, 'path'>) => boolean {
  const { platform, home } = configPlaceOf(place)
  return (entry) => {
    const reading = readRootPath(entry.path, platform, { home })
    return reading.ok && reading.path === path
  }
}

/** The log says who may be told what, since when. @throws ConsentryError `AUDIT_UNAVAILABLE` */
async function writeDown(consent: Omit<ConsentRecord, 'surface'>, place: Place): Promise<void> {
  const { databaseFile, anchorFile } = openStateFolder(place)
  const store = new LazyStore({ file: databaseFile })
  const audit = new AuditLog({ store, anchorFile })
  try {
    await recordConsent(audit, { ...consent, surface: 'command line' })
  } finally {
    await audit.close()
    await store.close()
  }
}

function read(typed: string, place: Place): { readonly path: string } {
  return readRootOption(typed, { platform: place.platform === 'win32' ? 'win32' : 'posix', cwd: place.cwd, home: homeOf(place) })
}

async function readConfig(place: Place): Promise<Config> {
  const config = await openConfig(place)
  config.close()
  return config.current
}

async function editConfig(place: Place, change: (text: string | undefined, file: EditedFile) => string): Promise<Config> {
  const config = await openConfig(place)
  const file = { ...configPlaceOf(place), file: openStateFolder(place).configFile }
  return config.edit((text) => change(text, file)).finally(() => config.close())
}

async function confirm(warning: string, place: Place): Promise<void> {
  if (!hasTerminal(place)) throw new ConsentryError('USAGE', `${warning} Say --yes if that is meant.`)
  if (!(await ask(safeText(warning), 'Yes, add it', place))) throw new ConsentryError('USAGE', 'nothing was added')
}

async function ask(question: string, yes: string, { stdin, stderr }: Place): Promise<boolean> {
  const prompts = await createPrompts({ input: stdin, output: stderr })
  const chosen = await prompts.choose(
    question,
    [
      { value: 'no', label: 'No' },
      { value: 'yes', label: yes },
    ],
    { initial: 'no', signal: new AbortController().signal },
  )
  return chosen === 'yes'
}

function describe({ server, path, name, status }: Pick<FolderState, 'path' | 'name' | 'status'> & { readonly server: string }): string {
  const shown = name === undefined ? '' : ` "${name}"`
  return safeText(`${server}  ${status}  ${path}${shown}`, { maximum: Infinity }) + '\n'
}
