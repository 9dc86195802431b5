import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { AuditLog } from '../audit/index.ts'
import type { DeskRooms } from '../console-api/call.ts'
import { LocalDesk, ScriptedDesk, type DeskObserver } from '../desk/index.ts'
import type { PatternMatcher } from '../elicitation/index.ts'
import type { ConsentryError } from '../errors.ts'
import { Inbox } from '../inbox/index.ts'
import { configuredMappings, configuredRoots, Grants, Policy, StoredSpending, type Config, type ConfigFile } from '../policy/index.ts'
import type { GivenFolder } from '../desk/remote-messages.ts'
import type { ConnectionOrigin, Desk, DeskSession, FolderTerms, KeptChoice, ServerIdentity } from '../protocol/index.ts'
import { readRootOption, RootList, type FolderState, type Proposal, type RootEntry, type ServerRoots } from '../roots/index.ts'
import { createSamplingMemory } from '../sampling/sampling-memory.ts'
import { LazyStore, privateFiles } from '../store/index.ts'
import { keepTakeOvers } from './kept-take-overs.ts'
import { homeOf, type Place } from './place.ts'
import { configuredWishes } from './prepare-start.ts'
import type { AnswersFile } from './read-answers.ts'
import { tellableFolders } from './remembered-roots.ts'
import { openModels, type OpenModels } from './open-models.ts'
import { sayKeptFolders, type WaysOn } from './say-kept-folders.ts'
import { openStateFolder } from './state-folder.ts'

export interface DeskOptions {
  readonly config: Pick<ConfigFile, 'current' | 'on'> & Partial<Pick<ConfigFile, 'broken'>>
  /** `--root`, as typed. */
  readonly roots: readonly string[]
  readonly answers?: AnswersFile | undefined
  readonly record?: string | undefined
  /** Folders to offer where none were decided. */
  readonly proposedRoots?: ((server: ServerIdentity) => readonly Proposal[] | Promise<readonly Proposal[]>) | undefined
  /** Nobody who could mend it sits here: a model that cannot be used as it stands is left out. */
  readonly isBackground?: boolean | undefined
  readonly observer?: DeskObserver | undefined
  /** Where folders lie that the program made itself: no more is to be said of them than of any in a home folder. */
  readonly ownFolder?: string | undefined
  /** How long a server waits for folders that a person is asked about, before it is told none yet; see `RootListOptions`. */
  readonly patience?: number | undefined
  /** What is done in this run about a server that goes on in folders that it should know no longer. Default: an empty folder is told, and a person is asked. */
  readonly keptFolders?: KeptChoice | undefined
  /** How whoever reads what is said here can go on about such a server. */
  readonly waysOn?: WaysOn | undefined
  /** One sentence for a person: a folder that is not there, a record that cannot be written. */
  readonly notice: (sentence: string) => void
}

/** How long a question waits for a person. */
export const humanTimeoutMs: number = 30 * 60_000

/** A desk of this command, with what belongs to it. */
export interface OpenDesk {
  readonly desk: Desk
  /** Where a terminal can be attached; nobody is there until one is. A script has none. */
  readonly inbox: Inbox | undefined
  /** What a console shows of it. */
  readonly rooms: Pick<DeskRooms, 'policy' | 'audit' | 'grants' | 'models' | 'spending' | 'consents' | 'folders' | 'matchPattern'>
  /** Opens a session for a wrap, with the folders that were named on its command line. @throws ConsentryError `ROOT_INVALID` */
  openFor(origin: ConnectionOrigin, folders: readonly GivenFolder[]): DeskSession
  /** Whether a server will be told folders: the user said which, or a person may say so, now or in an earlier run. */
  tellsRoots(server: ServerIdentity): 'surely' | 'perhaps' | 'never'
  /** The folders that a server is started with, where it is given them then: those that it could be told without a question. Never rejects. */
  foldersOf(server: ServerIdentity): Promise<readonly FolderTerms[]>
  /** Ends every question and closes what was opened. */
  close(): Promise<void>
}

/**
 * Puts the desk of one command together: the user's rules, folders and models, the audit log, and people or a script.
 *
 * @throws ConsentryError `ANSWERS_FILE_INVALID`, `ROOT_INVALID`, `CONFIG_INVALID`: nothing has been started then
 */
export async function openDesk(options: DeskOptions, place: Place): Promise<OpenDesk> {
  const { config, notice } = options
  const platform = place.platform === 'win32' ? 'win32' : 'posix'
  const state = openStateFolder(place)
  const given = options.roots.map((path) => readRootOption(path, { platform, cwd: place.cwd, home: homeOf(place) }))
  const leaveOut = (error: ConsentryError): void => notice(`${error.message}. This model is not asked`)
  const configured = await openModels(config.current.models, place, options.isBackground ? leaveOut : undefined)
  const { models } = configured

  const store = new LazyStore({ file: state.databaseFile })
  const audit = new AuditLog({ store, anchorFile: state.anchorFile })
  const spending = new StoredSpending({ store })
  const policy = new Policy({
    rules: config.current.rules,
    knownServers: config.current.mcpServers,
    alwaysAsk: config.current.alwaysAsk,
    sampling: config.current.sampling,
    spending,
  })
  const grants = new Grants({ store })
  const roots = new RootList({
    configured: config.current.roots,
    grants,
    home: homeOf(place),
    state: state.path,
    own: options.ownFolder,
    // A file says what is told: an empty list too, unless somebody wants more than that.
    standIn:
      options.answers === undefined || options.keptFolders === 'stand-in'
        ? { path: state.emptyFolder, make: () => privateFiles.sealFolder(state.emptyFolder) }
        : undefined,
    patience: options.patience,
    keptFolders: options.keptFolders,
    mustAsk: () => policy.alwaysAsk,
    report: (state) => notice(describeFolder(state)),
  })
  // Where nothing was ever kept, nothing is made to look for it.
  const find: Grants['find'] = (...question) => (existsSync(state.databaseFile) ? grants.find(...question) : Promise.resolve([]))
  const samplingMemory = createSamplingMemory({ find, add: (...grant) => grants.add(...grant), revoke: (id) => grants.revoke(id) })
  const openRoots = ({ server, keptFolders }: Pick<ConnectionOrigin, 'server' | 'keptFolders'>, more: readonly RootEntry[] = []): ServerRoots => {
    const opened = roots.open(server, {
      given: [...given, ...more],
      claims: () => configuredRoots(config.current, server).proposed,
      mappings: () => configuredMappings(config.current, server),
      keptFolders,
    })
    opened.on('kept', (found) => notice(sayKeptFolders(server.name, found, options.waysOn)))
    return opened
  }
  const common = {
    policy,
    models,
    samplingMemory,
    takeOvers: keepTakeOvers(grants, place),
    observer: options.observer,
    audit,
    matchPattern,
    openRoots,
    proposeRoots: (server: ServerIdentity) => options.proposedRoots?.(server) ?? [],
    isHeld: (server: ServerIdentity) => configuredWishes(server, config.current).sandbox !== undefined,
    newQuestionId: () => randomUUID(),
  }
  const { answers } = options
  const inbox = new Inbox({ humanTimeoutMs })
  const decided =
    answers === undefined
      ? new LocalDesk({ ...common, inbox })
      : new ScriptedDesk({
          ...common,
          script: { entries: answers.entries, resolvePath: (path) => resolve(dirname(answers.file), path), environment: place.environment, notice },
        })
  const stopFollowing = follow(config, { policy, roots, models: configured, desk: decided, leaveOut, notice })
  const desk = options.record === undefined ? decided : (await import('./record-to.ts')).recordTo(options.record, decided, place, notice)

  return {
    desk,
    inbox: answers === undefined ? inbox : undefined,
    rooms: { policy, audit, grants, models: () => models, spending, consents: samplingMemory.consents, folders: roots, matchPattern },
    openFor(origin, folders) {
      const more = folders.map(({ path }) => readRootOption(path, { platform, cwd: '/', home: homeOf(place) }))
      return decided.open(origin, more)
    },
    tellsRoots(server) {
      if (given.length > 0 || configuredRoots(config.current, server).granted.length > 0) return 'surely'
      return answers === undefined && (inbox.canReview('folders') || existsSync(state.databaseFile)) ? 'perhaps' : 'never'
    },
    foldersOf: (server) => tellableFolders(openRoots({ server }), server, policy),
    async close() {
      stopFollowing()
      inbox.close()
      await desk.close()
      roots.close()
      await audit.close()
      await store.close()
    },
  }
}

interface Followers {
  readonly policy: Policy
  readonly roots: RootList
  readonly models: OpenModels
  readonly desk: Pick<LocalDesk, 'announceCapabilities'>
  readonly leaveOut: (error: ConsentryError) => void
  readonly notice: (sentence: string) => void
}

/** Keeps rules, folders and models as the config says while we run. A config that cannot be read suspends the rules, and exposes nothing new. */
function follow(config: DeskOptions['config'], { policy, roots, models, desk, leaveOut, notice }: Followers): () => void {
  const updateModels = (entries: Config['models']): void =>
    void models.update(entries, leaveOut).then(
      (isNews) => isNews && desk.announceCapabilities(),
      (error: unknown) => notice(`the models of the config cannot be used: ${(error as Error).message}`),
    )
  const suspend = (error: ConsentryError): void => {
    policy.suspend(error.message)
    desk.announceCapabilities()
    notice(`${error.message}. Until this is mended the rules are suspended: you are asked.`)
  }
  const stops = [
    config.on('changed', (next) => {
      policy.update(next.rules, next.mcpServers, next.sampling)
      policy.alwaysAsk = next.alwaysAsk
      roots.update(next.roots)
      desk.announceCapabilities()
      updateModels(next.models)
    }),
    config.on('broken', suspend),
  ]
  // It may have changed, or become unreadable, while the desk was put together.
  updateModels(config.current.models)
  if (config.broken) suspend(config.broken)
  return () => stops.forEach((stop) => stop())
}

function describeFolder({ path, status, reason }: FolderState): string {
  return status === 'ok' ? `${path} is there now, and told` : `${path} is not told: ${reason?.sentence ?? status}`
}

/** Form code is loaded with the first form. */
const matchPattern: PatternMatcher = async (checks) => (await import('../elicitation/index.ts')).matchPattern(checks)
