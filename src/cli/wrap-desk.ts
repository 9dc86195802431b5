import type { Gateway, Owners } from '../gateway/index.ts'
import type { AnswerCapabilities, ConnectionOrigin, DeskSession, KeptChoice, Root, ServerIdentity } from '../protocol/index.ts'
import { configuredRoots } from '../policy/configured-roots.ts'
import type { LateConfig } from './late-config.ts'
import type { OpenDesk } from './open-desk.ts'
import type { WaysOn } from './say-kept-folders.ts'
import { homeOf, type Place } from './place.ts'
import type { AnswersFile } from './read-answers.ts'
import type { WrapOptions } from './wrap-options.ts'

export interface WrapDeskOptions {
  readonly options: WrapOptions
  readonly identity: ServerIdentity
  readonly place: Place
  readonly notice: (sentence: string) => void
}

/** What the desk is to know of the server besides its name. */
export interface ServerFacts {
  /** It is held to its folders. */
  readonly saysHeld: boolean
  /** The folders that it was given when it was started last; undefined where it is told them later. */
  readonly startedWith: readonly string[] | undefined
  /** It can be started afresh. */
  readonly canRestart: boolean
  /** What this process was told last; undefined in the modern era, where it keeps no list. */
  readonly told: readonly Root[] | undefined
  /** See `ConnectionOrigin`. */
  readonly undecided: readonly string[] | undefined
  /** See `WrapOptions`. */
  readonly keptFolders: KeptChoice | undefined
}

/** A script may answer anything. */
const everything: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
/** With nobody there and no rules, folders are all that can be told. */
export const foldersOnly: AnswerCapabilities = { roots: true, form: false, url: false, sampling: false, samplingTools: false }
/** The server starts first; what only watches comes a moment later. */
const watchAfterMs = 300

/**
 * What stands behind a wrap: rules, folders and an answers file, checked before the server is started, and loaded when the first question comes.
 */
export class WrapDesk {
  readonly #parts: WrapDeskOptions
  readonly #config: LateConfig
  readonly #answers: AnswersFile | undefined
  #opening: Promise<OpenDesk> | undefined
  #hasSession = false
  #before: AnswerCapabilities
  #timer: NodeJS.Timeout | undefined

  private constructor(parts: WrapDeskOptions, config: LateConfig, answers: AnswersFile | undefined) {
    this.#parts = parts
    this.#config = config
    this.#answers = answers
    this.#before = answers ? everything : foldersOnly
  }

  /** @param config closed with it @throws ConsentryError `ANSWERS_FILE_INVALID`, `CONFIG_INVALID`, `ROOT_INVALID`: nothing has been started then */
  static async prepare(parts: WrapDeskOptions, config: LateConfig): Promise<WrapDesk> {
    const { options, place } = parts
    const answers = options.answers === undefined ? undefined : await (await import('./read-answers.ts')).readAnswers(options.answers, place)
    await checkRoots(options.roots, place)
    const desk = new WrapDesk(parts, config, answers)
    await desk.#openWhereItMatters()
    return desk
  }

  /** What can be answered before the desk is opened. */
  get before(): AnswerCapabilities {
    return this.#before
  }

  /** @param client what the client calls itself */
  async openSession(client: string | undefined, server: ServerFacts): Promise<DeskSession> {
    const { desk } = await this.#open()
    this.#hasSession = true
    const session = desk.open(originOf(this.#parts.identity, client, server))
    await session.known
    return session
  }

  /** Follows the config from now on, and the folders where there are any. Safe to call twice. */
  watch(conversation: Gateway['conversation']): void {
    if (this.#timer !== undefined) return
    let told = this.#toldRoots()
    this.#config.on('changed', () => {
      const before = told
      told = this.#toldRoots()
      // An open session sees the change itself.
      if (!this.#hasSession) void this.#wake(conversation, told !== before)
    })
    this.#config.follow()
    const look = (): void => {
      const hasRoots = this.#parts.options.roots.length > 0 || told !== '[]'
      if (hasRoots && conversation.owners?.roots === 'here' && !this.#hasSession) void this.#wake(conversation, false)
    }
    // A client may take its time for the end of the handshake.
    this.#timer = setTimeout(() => conversation.whenSettled(look), watchAfterMs).unref()
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#config.close()
    await (await this.#opening?.catch(() => undefined))?.close()
  }

  /** Models are checked, and rules asked what they allow, before anything is promised. */
  async #openWhereItMatters(): Promise<void> {
    const { models, rules } = this.#config.current
    if (models.length === 0 && (this.#answers !== undefined || rules.length === 0)) return
    const { desk } = await this.#open()
    const session = desk.open({ server: this.#parts.identity, connection: 'none yet' })
    await session.known
    this.#before = session.capabilities()
    session.close()
  }

  async #wake(conversation: Gateway['conversation'], isNews: boolean): Promise<void> {
    try {
      await conversation.openDesk()
      if (isNews) conversation.announceRoots()
    } catch (error) {
      this.#parts.notice(`the desk cannot be opened: ${(error as Error).message}`)
    }
  }

  #open(): Promise<OpenDesk> {
    this.#opening ??= this.#openNow()
    return this.#opening
  }

  async #openNow(): Promise<OpenDesk> {
    const { options, place, notice } = this.#parts
    try {
      const { openDesk } = await import('./open-desk.ts')
      const { roots, record, keptFolders } = options
      return await openDesk({ config: this.#config, roots, answers: this.#answers, record, keptFolders, waysOn: waysOnFor(options), notice }, place)
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  /** The folders of the config that this server is told, in a form that can be compared. */
  #toldRoots(): string {
    return JSON.stringify(configuredRoots(this.#config.current, this.#parts.identity).granted)
  }
}

/** What could have been said beforehand to have a server that keeps its folders started afresh, and where it is asked. */
export function waysOnFor({ url }: Pick<WrapOptions, 'url'>): WaysOn {
  return { isAtDesk: true, option: url === undefined ? '--kept-folders restart' : undefined }
}

/** What a desk hears of a connection. It is written down anew for each desk that is reached. */
export function originOf(identity: ServerIdentity, client: string | undefined, server: ServerFacts): ConnectionOrigin {
  const { saysHeld, canRestart, keptFolders } = server
  return {
    server: identity,
    connection: globalThis.crypto.randomUUID(),
    client,
    saysHeld,
    canRestart,
    keptFolders,
    get startedWith() {
      return server.startedWith
    },
    get told() {
      return server.told
    },
    get undecided() {
      return server.undecided
    },
  }
}

/** @throws ConsentryError `ROOT_INVALID` */
export async function checkRoots(paths: readonly string[], place: Place): Promise<void> {
  if (paths.length === 0) return
  const { readRootOption } = await import('../roots/root-entry.ts')
  const platform = place.platform === 'win32' ? 'win32' : 'posix'
  for (const path of paths) readRootOption(path, { platform, cwd: place.cwd, home: homeOf(place) })
}

/** What a person should know of who answers what: what nobody can answer, and options that change nothing. */
export function describeOwners(owners: Owners, { roots, answers, noDesk }: Pick<WrapOptions, 'roots' | 'answers' | 'noDesk'>): readonly string[] {
  const names = [
    ['forms', owners.form],
    ['pages to visit', owners.url],
    ['completions', owners.sampling],
  ] as const
  const unanswered = names.filter(([, owner]) => owner === 'nobody').map(([name]) => name)
  return [
    ...(unanswered.length > 0
      ? [
          `nobody can be asked here (${noDesk ? 'no --answers FILE' : 'the desk has nowhere to show it'}), so that the server is not offered: ${unanswered.join(', ')}${noDesk ? '' : '. Run consentry up or consentry inbox, and have the client connect again'}`,
        ]
      : []),
    ...(roots.length > 0 && owners.roots === 'client'
      ? ['this client tells its own folders, so that --root changes nothing (--take roots tells these in their place)']
      : []),
    ...(answers !== undefined && Object.values(owners).every((owner) => owner === 'client')
      ? ['this client answers everything itself, so that the answers file is not used (--take LIST changes that)']
      : []),
  ]
}
