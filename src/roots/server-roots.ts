import { readRootPath } from '../paths/index.ts'
import { createListeners, type FreshStartEnd, type KeptChoice, type KeptFoldersReport, type Remembrance, type Root } from '../protocol/index.ts'
import { ConsentedFolder, type ConsentedFolderOptions, type FolderSighting, type FolderState } from './consented-folder.ts'
import { FolderConsent, type FolderConsentOptions } from './folder-consent.ts'
import type { GrantedFolders } from './granted-folders.ts'
import { KeptFolders, type KeptFoldersOptions, type ListReader } from './kept-folders.ts'
import type { Proposal, RootEntry } from './root-entry.ts'
import { rootPhrase } from './root-phrase.ts'
import { isRevoked, lookAt, merge, type RootSurvey } from './root-survey.ts'
import type { ServerView } from './server-view.ts'
import { prepareStandIn, type StandIn } from './stand-in.ts'

export interface ServerRootsEvents {
  /** The server is to be started afresh: it goes on in folders that it was told before. */
  readonly restart: undefined
  /** It is to be ended: it could not be started afresh. */
  readonly end: undefined
  /** The list that this server would get now differs from the one before. */
  readonly changed: undefined
  /** It may go on in folders that it should know no longer. */
  readonly kept: KeptFoldersReport
  /** See `DeskSessionEvents`, `folders-undecided`. */
  readonly undecided: readonly string[] | undefined
}

export interface ServerRootsOptions extends FolderConsentOptions {
  readonly folders: ConsentedFolderOptions
  /** Given for this connection only (`--root`). */
  readonly given: readonly ConsentedFolder[]
  /** What the config says now. */
  readonly configured: () => readonly ConsentedFolder[]
  /** What the config says now for another command of this name. */
  readonly claims: () => readonly RootEntry[]
  readonly granted: GrantedFolders
  readonly view: ServerView
  readonly standIn?: StandIn | undefined
  /** What the user said for this run, where a server goes on in folders that it was told before; nobody is asked then. */
  readonly keptFolders?: KeptChoice | undefined
  /** Milliseconds that changes are gathered for. */
  readonly debounce: number
  readonly onClose: () => void
}

const LONG_LIST = 50
/** Within this time watching looks at every folder again. */
const WATCHED_MS = 3000

/**
 * The folders that one server may be told over one connection: computed afresh each time somebody asks.
 *
 * One folder that is gone, or cannot be read, never keeps the others back.
 */
export class ServerRoots {
  /** The question to a person, where there is one. */
  readonly consent: FolderConsent
  readonly #kept: KeptFolders
  readonly #options: ServerRootsOptions
  readonly #listeners = createListeners<ServerRootsEvents>()
  /** Told in place of none over this connection. */
  #standIn: ConsentedFolder | undefined
  #started = 0
  #applied = 0
  #list: string | undefined
  /** What was put together last, and of what. */
  #last: { readonly parts: readonly unknown[]; readonly survey: RootSurvey } | undefined
  #compared: RootSurvey | undefined
  #states: readonly FolderState[] = []
  #toldList: string | undefined
  #announcement: NodeJS.Timeout | undefined
  #wasTold = false
  #closed = false

  constructor(options: ServerRootsOptions) {
    this.#options = options
    this.consent = new FolderConsent(options)
    this.#kept = new KeptFolders({
      after: options.after,
      restart: () => this.#listeners.emit('restart', undefined),
      end: () => this.#listeners.emit('end', undefined),
      standIn: options.standIn && this.#offer(options.standIn),
      remembered: () => options.keptFolders ?? options.granted.keptChoice,
      report: (found) => this.#listeners.emit('kept', found),
      undecided: (known) => this.#listeners.emit('undecided', known),
      remember: (choice, remember) => options.granted.keepChoice(choice, remember),
    })
  }

  /** How many folders the user consented to, whatever their status. */
  get size(): number {
    return this.#folders().filter((folder) => !this.isStandIn(folder.path)).length
  }

  /** The server was told folders over this connection: where it is told none any more, that is somebody's wish, and no reason to ask. */
  get wasTold(): boolean {
    return this.#wasTold
  }

  /** A person said no: for this connection, or remembered. */
  get isRefused(): boolean {
    return this.consent.decision === 'deny' || this.#options.granted.isRefused
  }

  /** Where and for whom folders are looked at. */
  get folderOptions(): ConsentedFolderOptions {
    return this.#options.folders
  }

  /** How this server sees our folders. */
  get view(): ServerView {
    return this.#options.view
  }

  /** What may be told now. @see MCP client/roots "Listing Roots" */
  async list(): Promise<readonly Root[]> {
    return (await this.#surveyAll()).roots
  }

  /**
   * The server was started with these folders: other ones need a fresh start, which a person is asked about. Never rejects.
   *
   * @param paths what a consent was taken back from since then is among them no less; `unsaid`: what it may be told now
   */
  async fix(reader: ListReader, paths: readonly string[] | 'unsaid'): Promise<void> {
    await this.recall().catch(() => undefined)
    await this.#fix(reader, paths)
  }

  /** Told what became of the fresh start that `restart` asked for. Never rejects. */
  async restarted({ fault, startedWith }: FreshStartEnd): Promise<void> {
    this.#kept.restarted(fault)
    if (fault === undefined && startedWith) await this.#fix(undefined, startedWith)
  }

  /** The server was told these folders before it was known here, and may go on in them, or in the undecided ones. Never rejects. */
  async resume(reader: ListReader, told: readonly Root[], undecided?: readonly string[]): Promise<void> {
    await this.recall().catch(() => undefined)
    const { standIn, folders } = this.#options
    const reading = standIn && readRootPath(standIn.path, folders.disk.platform)
    const uris = told.map(({ uri }) => uri).filter((uri) => !(reading?.ok && uri === reading.uri))
    if (standIn && uris.length < told.length) await this.#offer(standIn)!.tell()
    this.#wasTold = true
    this.#kept.resume(uris, reader, undecided)
    this.#list = this.#toldList = JSON.stringify(told)
    this.#compared = undefined
    if ((await this.#surveyAll(0)).isStandIn) this.#kept.revoked()
  }

  /** The same for whoever holds the server to it. */
  async terms(): Promise<RootSurvey['terms']> {
    return (await this.#surveyAll()).terms
  }

  /** All that the user consented to, told or not. */
  async states(): Promise<readonly FolderState[]> {
    return (await this.#surveyAll()).states
  }

  /** Whether this is the empty folder that is told in place of none. */
  isStandIn(path: string): boolean {
    return path === this.#options.standIn?.path
  }

  /** What may be told now, and is: no news to the server from then on. */
  async tell(reader: ListReader): Promise<RootSurvey> {
    const survey = await this.#surveyAll()
    const { roots } = survey
    this.#wasTold ||= roots.length > 0
    this.#toldList = JSON.stringify(roots)
    const uris = roots.map(({ uri }) => uri)
    this.#kept.told(uris, reader, { isRevoked: isRevoked(survey), isStandIn: survey.isStandIn === true })
    return survey
  }

  /** What could be said of these folders, if they were given now. Consent stays as it was. */
  async survey(entries: readonly RootEntry[]): Promise<RootSurvey> {
    const known = new Map(this.#folders().map((folder) => [folder.path, folder]))
    const { report: _, ...options } = this.#options.folders
    const folders = entries.map((entry) => {
      const folder = new ConsentedFolder(entry, options)
      return known.get(folder.path) ?? folder
    })
    return this.#survey(folders, await lookAt(folders, 0), new Set(folders))
  }

  /** Reads what people consented to before, once. @throws ConsentryError `STORE_UNAVAILABLE` */
  async recall(): Promise<void> {
    await this.#options.granted.recall()
  }

  /** Folders that a person must be asked about, though others may be told already: replaced ones, and those that the config has for another command of this name. */
  async findDoubts(): Promise<readonly Proposal[]> {
    const replaced = (await this.states()).filter(({ status }) => status === 'replaced')
    const { granted, claims } = this.#options
    const isAnswered = this.consent.decision !== undefined || granted.folders.length > 0
    return [
      ...(this.consent.decision === undefined ? granted.unheeded.map(({ entry }) => ({ ...entry, why: rootPhrase('said-before', {}) })) : []),
      ...replaced.map(({ path, name }) => ({ path, name, why: rootPhrase('taken-place', {}) })),
      ...(isAnswered ? [] : claims().map((entry) => ({ ...entry, why: rootPhrase('other-command', {}) }))),
    ]
  }

  /** Takes a person's yes to these folders, as they lie there now. @throws ConsentryError `STORE_UNAVAILABLE` */
  async grant(folders: readonly ConsentedFolder[], remember?: Remembrance): Promise<void> {
    await this.#options.granted.grant(folders, remember)
    await this.refresh()
  }

  /** Takes a person's no for the next time too. @throws ConsentryError `STORE_UNAVAILABLE` */
  async refuse(remember: Remembrance): Promise<void> {
    await this.#options.granted.refuse(remember)
    await this.refresh()
  }

  /** Looks again, but not at what was seen at most `maxAge` milliseconds ago, and announces a change. Never rejects. */
  async refresh(maxAge = 0): Promise<void> {
    await this.#surveyAll(maxAge)
  }

  /** @returns the function that undoes it */
  on<Name extends keyof ServerRootsEvents>(event: Name, listener: (detail: ServerRootsEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Watches and asks no longer. Safe to call twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#announcement)
    this.consent.close()
    this.#kept.close()
    this.#listeners.clear()
    this.#options.onClose()
  }

  #offer(standIn: StandIn): KeptFoldersOptions['standIn'] {
    const { report: _, ...folders } = this.#options.folders
    return {
      prepare: () => prepareStandIn(standIn, folders.disk),
      tell: async (remember) => {
        const folder = new ConsentedFolder({ path: standIn.path, name: 'nothing' }, folders)
        await folder.look()
        if (remember) return this.grant([folder], remember)
        this.#standIn = folder
        await this.refresh()
      },
      end: () => (this.#standIn = undefined),
    }
  }

  async #fix(reader: ListReader | undefined, paths: readonly string[] | 'unsaid'): Promise<void> {
    const states = await this.states()
    const { disk, home } = this.#options.folders
    const read = (path: string): Pick<FolderState, 'path' | 'uri'> => {
      const reading = readRootPath(path, disk.platform, { home })
      return reading.ok ? reading : { path }
    }
    const known = new Map(states.map((state) => [read(state.path).path, state]))
    const start = paths === 'unsaid' ? states.filter(({ status }) => status === 'ok') : paths.map(read).map((folder) => known.get(folder.path) ?? folder)
    this.#kept.fix(states, reader, new Map(start.map(({ path, uri = path }) => [path, uri])))
  }

  /** In the order of their weight: given for this run, configured, granted. */
  #folders(): readonly ConsentedFolder[] {
    const { given, configured, granted } = this.#options
    return [...given, ...configured(), ...granted.folders, ...(this.#standIn ? [this.#standIn] : [])]
  }

  /** A long list is told as watching has seen it, so that a server gets it at once. */
  async #surveyAll(maxAge?: number): Promise<RootSurvey> {
    const order = (this.#started += 1)
    const folders = this.#folders()
    const seen = await lookAt(folders, maxAge ?? (folders.length > LONG_LIST ? WATCHED_MS : 0))
    const survey = this.#surveyAgain(folders, seen)
    // A look that began later knows better.
    if (order > this.#applied) {
      this.#applied = order
      this.#compare(survey)
    }
    return survey
  }

  /** Most of the time nothing has changed since the last look: then nothing is put together anew, which is what watching long lists for many servers costs. */
  #surveyAgain(folders: readonly ConsentedFolder[], seen: readonly FolderSighting[]): RootSurvey {
    const parts = [this.#wasTold, this.#options.view.mark, ...folders, ...seen]
    if (this.#last?.parts.length === parts.length && this.#last.parts.every((part, index) => part === parts[index])) return this.#last.survey
    const survey = this.#survey(folders, seen, new Set(this.#options.given))
    this.#last = { parts, survey }
    return survey
  }

  #survey(folders: readonly ConsentedFolder[], seen: readonly FolderSighting[], given: ReadonlySet<ConsentedFolder>): RootSurvey {
    const { view } = this.#options
    const sightings = folders.map((folder, index) => ({ path: folder.path, ...view.see(folder.path, seen[index]!, { isGiven: given.has(folder) }) }))
    const real = merge(sightings.filter(({ path }) => !this.isStandIn(path)))
    if (real.roots.length > 0 || !this.#wasTold) return real
    const all = merge(sightings)
    return { ...all, isStandIn: all.roots.length > 0 }
  }

  #compare(survey: RootSurvey): void {
    if (this.#compared === survey) return
    this.#compared = survey
    const { roots, states } = survey
    const list = JSON.stringify(roots)
    const isChange = this.#list !== undefined && this.#list !== list
    this.#list = list
    this.#states = states
    if (isRevoked({ roots, states })) this.#kept.revoked()
    if (!isChange || this.#closed) return
    this.#announcement ??= setTimeout(() => {
      this.#announcement = undefined
      this.#kept.changed(this.#states)
      if (this.#list === this.#toldList) return this.#kept.restored()
      this.#listeners.emit('changed', undefined)
      this.#kept.announced()
    }, this.#options.debounce).unref()
  }
}
