import type { AuditLog } from '../audit/index.ts'
import type { PatternMatcher } from '../elicitation/index.ts'
import type { Host } from '../host/index.ts'
import type { Inbox } from '../inbox/index.ts'
import type { Disk } from '../paths/index.ts'
import type { ClientFormat, ConfigFile, EditedFile, Grants, Policy, SpendingLedger } from '../policy/index.ts'
import type { RootList } from '../roots/index.ts'
import type { SamplingConsents } from '../sampling/consents.ts'
import type { Models } from '../sampling/index.ts'
import type { CallBoard } from './call-board.ts'
import type { CallBody } from './call-body.ts'
import type { CallName, Calls, ConsoleEvent, DeskState } from './contract.ts'
import type { MediaShelf } from './media-shelf.ts'
import type { PreferencesFile } from './preferences-file.ts'
import type { ReviewBoard } from './review-board.ts'
import type { ServerBoard } from './server-board.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Timeline } from './timeline.ts'
import type { Windows } from './windows.ts'

/** The desk, as far as the console looks into it. */
export interface DeskRooms {
  readonly inbox: Inbox
  readonly host: Host
  readonly policy: Policy
  readonly config: Pick<ConfigFile, 'current' | 'broken' | 'edit' | 'on'>
  /** Which file the config is, and how it is read. */
  readonly edited: EditedFile
  readonly audit: AuditLog
  readonly grants: Grants
  readonly models: () => Models
  readonly spending: SpendingLedger
  /** What people said about model requests for this run. */
  readonly consents: Pick<SamplingConsents, 'ofRun' | 'forgetRun'>
  /** Folders that people said yes to for this run. */
  readonly folders: Pick<RootList, 'forRun' | 'endRun'>
  readonly matchPattern: PatternMatcher
  readonly disk: Disk
  /** The desk's observer, too. */
  readonly timeline: Timeline
  readonly place: DeskPlace
  readonly now: () => number
}

/** Where the desk runs. */
export interface DeskPlace {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  readonly home: string
  /** Where it was started: projects are looked for from here. */
  readonly cwd: string
  readonly stateFolder: string
  /** How long a review waits for a person, in milliseconds. */
  readonly humanTimeoutMs: number
  /** The travel server of the demo is connected. */
  readonly isDemo: boolean
  /** Config files of other clients, to import servers from. */
  readonly otherClients: readonly ClientFile[]
}

/** A config file that another client may have. */
export interface ClientFile {
  readonly client: string
  readonly file: string
  readonly format: ClientFormat
}

/** What the windows see of the desk. */
export interface ConsoleView {
  readonly sessions: Sessions
  readonly windows: Windows
  readonly reviews: ReviewBoard
  readonly servers: ServerBoard
  readonly calls: CallBoard
  readonly media: MediaShelf
  readonly preferences: PreferencesFile
  readonly deskState: () => DeskState
  readonly tell: (event: ConsoleEvent, about?: string) => void
}

/** All that a call may need; each says itself what it does. */
export type CallNeeds = DeskRooms & ConsoleView

export interface Caller {
  readonly session: Session
  /** Aborted when the browser does not wait any more. */
  readonly signal: AbortSignal
}

/** Answers one call. What it throws becomes a `CallError`. */
export type Handler<Name extends CallName> = (body: CallBody, caller: Caller) => Calls[Name]['answer'] | Promise<Calls[Name]['answer']>

/** `session/open` and `events` are answered where sessions and streams are. */
export type HandledCall = Exclude<CallName, 'session/open' | 'events'>

export type Handlers = { readonly [Name in HandledCall]: Handler<Name> }
