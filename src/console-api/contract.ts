import type { JsonObject } from '../protocol/index.ts'
import type { CheckAnswer, ConsoleDecision, DecideAnswer, DoneReview, GetReviewAnswer, ReviewEnd, ReviewSummary, ShownDrafts } from './contract-inbox.ts'
import type { AuditFilter, AuditRow, AuditVerification, DeskFacts, Preferences, TimelineEvent, TimelineFilter, UsageDay } from './contract-records.ts'
import type {
  AddRootAnswer,
  ArgumentCheck,
  BrowsedFolder,
  ConfigChange,
  Fault,
  GrantRow,
  ImportPick,
  ImportSource,
  LimitScope,
  LimitsInput,
  LocalModels,
  MapRootAnswer,
  ModelEntryInput,
  ModelRow,
  ModelTest,
  ProviderRow,
  RootRow,
  RuleInput,
  RuleRow,
  ServerDetail,
  ServerEntryInput,
  ServerSummary,
  SharedLimits,
  ToolCall,
  ToolRow,
} from './contract-servers.ts'
import type { FolderCandidate } from './contract-inbox.ts'

export { describeConstraint } from '../elicitation/describe-constraint.ts'
export type { FormMessages } from '../elicitation/fault-messages.ts'
export { readTyped } from '../elicitation/read-typed.ts'
export { findShortfalls } from '../protocol/has-room.ts'
export { hasMarkLeft, hasPutBack, putBack, takeOut } from '../protocol/put-back.ts'
export { visibleParts } from '../protocol/visible-text.ts'
export type * from '../protocol/index.ts'
export type * from './contract-inbox.ts'
export type * from './contract-records.ts'
export type * from './contract-servers.ts'

/**
 * The console speaks to its desk in one way: `POST /api/<call>` with a JSON object, `content-type: application/json` and the header `x-consentry`.
 * 200 has the answer as JSON; anything else has a `CallError`. `events` alone is a stream.
 *
 * The page comes with `#token=…` once. Take it out of the address at once (`history.replaceState`), and exchange it with `session/open`
 * (header `x-consentry: open`). The answer's `key` goes into `localStorage`, and into the header of every later call; beside it, the browser sends the session's cookie.
 * Either of them alone opens nothing: cookies go to every port of 127.0.0.1.
 */
export const callPath = '/api/'
export const keyHeader = 'x-consentry'
/** The header's value while there is no key yet. */
export const openingKey = 'open'
/** The fragment's parameter. */
export const tokenParameter = 'token'
/** In `index.html`, replaced by a fresh nonce with every load; scripts come from `/assets/` and need none. */
export const noncePlaceholder = '__NONCE__'
/** `GET /media/<media>` is the bytes of a viewable `ShownMedia`: for `<img src>`, with the cookie alone. */
export const mediaPath = '/media/'
/** A comment line comes this often on the stream; silence for twice as long means that the connection is lost: open it again. */
export const heartbeatMs = 15_000
/** Bytes of a call's body. */
export const largestBody: number = 8 * 1024 * 1024

/** Every call: what goes in, and what comes back. */
export interface Calls {
  'session/open': { readonly request: { readonly token: string }; readonly answer: { readonly key: string } }
  /** Ends this session in all of its tabs. */
  'session/close': { readonly request: Empty; readonly answer: Empty }

  'review/get': { readonly request: { readonly id: string }; readonly answer: GetReviewAnswer }
  /** Keeps what was typed so far. `window` is that of `hello`; secret fields are dropped by the desk, whatever is sent. */
  'review/draft': { readonly request: { readonly id: string; readonly window: string; readonly draft: ShownDrafts[keyof ShownDrafts] }; readonly answer: Empty }
  /** Checks a form's values, patterns included, as Send would. Fields that are left out take their default; `null` is left blank. */
  'review/check': { readonly request: { readonly id: string; readonly content: Readonly<Record<string, unknown>> }; readonly answer: CheckAnswer }
  'review/decide': { readonly request: { readonly id: string; readonly decision: ConsoleDecision }; readonly answer: DecideAnswer }
  /** Puts a grey card away; one that still waits stays. */
  'review/dismiss': { readonly request: { readonly id: string }; readonly answer: Empty }

  'always-ask/set': { readonly request: { readonly on: boolean }; readonly answer: ConfigChange }
  'preferences/set': { readonly request: Preferences; readonly answer: Preferences }
  'desk/get': { readonly request: Empty; readonly answer: DeskFacts }
  'usage/list': { readonly request: { readonly from: string; readonly to: string }; readonly answer: { readonly days: readonly UsageDay[] } }

  'servers/get': { readonly request: { readonly name: string }; readonly answer: ServerDetail }
  'servers/start': { readonly request: { readonly name: string }; readonly answer: Empty }
  'servers/stop': { readonly request: { readonly name: string }; readonly answer: Empty }
  'servers/restart': { readonly request: { readonly name: string }; readonly answer: Empty }
  /** Adds a server to the config, and starts it, unless `preview`. `shown` is of the preview: without it nothing is written. */
  'servers/add': {
    readonly request: { readonly name: string; readonly entry: ServerEntryInput; readonly preview: boolean; readonly shown?: string | undefined }
    readonly answer: ConfigChange
  }
  /** `before`: `mark` of the entry as it was shown; another one there now is `stale`. */
  'servers/change': {
    readonly request: { readonly name: string; readonly before: string; readonly entry: ServerEntryInput; readonly preview: boolean }
    readonly answer: ConfigChange
  }
  'servers/remove': { readonly request: { readonly name: string; readonly before: string }; readonly answer: ConfigChange }
  /** Keeps a server in the config without starting it, or starts it again: the one whose `mark` was shown, and no other. */
  'servers/disable': { readonly request: { readonly name: string; readonly before: string; readonly disabled: boolean }; readonly answer: ConfigChange }
  /** What its model requests may use; none at all: what holds for every server. `before`: those that were shown. */
  'servers/limits': { readonly request: { readonly name: string; readonly before: LimitsInput; readonly limits: LimitsInput }; readonly answer: ConfigChange }
  /** What the model requests of all servers together may use, and each server that has no limits of its own. */
  'limits/get': { readonly request: Empty; readonly answer: SharedLimits }
  'limits/set': { readonly request: { readonly scope: LimitScope; readonly before: LimitsInput; readonly limits: LimitsInput }; readonly answer: ConfigChange }
  'import/scan': { readonly request: Empty; readonly answer: { readonly sources: readonly ImportSource[] } }
  /** `shown` is of the preview: what does not stand there any more as it was shown is `stale`, and nothing is written. */
  'import/apply': {
    readonly request: { readonly picks: readonly ImportPick[]; readonly preview: boolean; readonly shown?: string | undefined }
    readonly answer: ConfigChange
  }

  /** Behind all others, so that it wins over none; `first`: before all others. */
  'rules/add': { readonly request: { readonly rule: RuleInput; readonly first?: boolean | undefined }; readonly answer: ConfigChange }
  /** `before`: the rule as it was shown; another one there now is `stale`. */
  'rules/change': { readonly request: { readonly index: number; readonly before: RuleInput; readonly rule: RuleInput }; readonly answer: ConfigChange }
  'rules/remove': { readonly request: { readonly index: number; readonly before: RuleInput }; readonly answer: ConfigChange }
  /** Lets it change places with the one before it, so that it wins sooner. */
  'rules/raise': { readonly request: { readonly index: number; readonly before: RuleInput }; readonly answer: ConfigChange }
  'rules/list': { readonly request: Empty; readonly answer: { readonly rules: readonly RuleRow[] } }
  'grants/list': { readonly request: { readonly server?: string | undefined }; readonly answer: { readonly grants: readonly GrantRow[] } }
  /** `until`: `YYYY-MM-DD`, the last day. */
  'grants/change': { readonly request: { readonly id: string; readonly until: string }; readonly answer: { readonly changed: boolean } }
  'grants/revoke': { readonly request: { readonly id: string }; readonly answer: { readonly revoked: boolean } }
  /** Takes back what was said about a server's model requests for this run. */
  'grants/end-run': { readonly request: { readonly server: string }; readonly answer: Empty }
  /** Ends "ask me nothing more" of a server. */
  'servers/unmute': { readonly request: { readonly name: string }; readonly answer: Empty }

  'roots/list': { readonly request: Empty; readonly answer: { readonly roots: readonly RootRow[] } }
  'roots/add': {
    /** `before`: the folders that the config had for this server as they were shown, by path. `mark`: its entry there, as `servers/get` gave it. */
    readonly request: {
      readonly server: string
      readonly mark?: string | undefined
      readonly path: string
      readonly name?: string | undefined
      readonly confirmed?: boolean | undefined
      readonly before: readonly string[]
    }
    readonly answer: AddRootAnswer
  }
  /** `before`: what else the entry said as it was shown. */
  'roots/remove': {
    readonly request: { readonly server: string; readonly path: string; readonly before: { readonly name?: string | undefined } }
    readonly answer: ConfigChange
  }
  /** By which name a server with files of its own knows a folder. Without `uri`: by none any more. `before`: the name that was shown. */
  'roots/map': {
    readonly request: { readonly server: string; readonly path: string; readonly uri?: string | undefined; readonly before?: string | undefined }
    readonly answer: MapRootAnswer
  }
  /** Takes back a yes for this run. */
  'roots/end-run': { readonly request: { readonly server: string; readonly path: string }; readonly answer: { readonly ended: boolean } }
  /** Folders that could be the project, best first. Without a path: from where the desk was started. */
  'roots/detect': { readonly request: { readonly path?: string | undefined }; readonly answer: { readonly candidates: readonly FolderCandidate[] } }
  /** Without a path: the home folder. */
  'roots/browse': { readonly request: { readonly path?: string | undefined }; readonly answer: BrowsedFolder }

  'models/list': { readonly request: Empty; readonly answer: { readonly models: readonly ModelRow[]; readonly providers: readonly ProviderRow[] } }
  /** Looks on this machine's loopback, where servers of models usually are; nothing is used before it was added. */
  'models/find': { readonly request: Empty; readonly answer: { readonly found: readonly LocalModels[] } }
  /** At the end of the list. No key is ever written from here: only where it is found. */
  'models/add': { readonly request: { readonly entry: ModelEntryInput; readonly preview: boolean }; readonly answer: ConfigChange }
  /** `before`: `mark` of the model as it was shown. */
  'models/remove': { readonly request: { readonly id: string; readonly before: string }; readonly answer: ConfigChange }
  /** Asks for a few words; may cost a fraction of a cent. */
  'models/test': { readonly request: { readonly id: string }; readonly answer: ModelTest }

  'tools/list': { readonly request: { readonly server: string }; readonly answer: { readonly tools: readonly ToolRow[] } }
  'tools/check': { readonly request: { readonly server: string; readonly tool: string; readonly arguments: JsonObject }; readonly answer: ArgumentCheck }
  /** Answers at once; `call-changed` tells how it goes on. */
  'tools/call': {
    readonly request: { readonly server: string; readonly tool: string; readonly arguments: JsonObject }
    readonly answer: { readonly call: ToolCall }
  }
  'tools/cancel': { readonly request: { readonly id: string }; readonly answer: Empty }

  /** Newest first, before an id. `next` absent: there is nothing older. */
  'timeline/list': {
    readonly request: { readonly before?: number | undefined; readonly limit?: number | undefined; readonly filter?: TimelineFilter | undefined }
    /** `dropped`: so many older ones, of all servers, memory has no room for any more. */
    readonly answer: { readonly events: readonly TimelineEvent[]; readonly next?: number | undefined; readonly dropped?: number | undefined }
  }
  /** The JSON, indented, secrets masked, long texts cut. Absent: it is not kept any more. */
  'timeline/message': { readonly request: { readonly id: number }; readonly answer: { readonly json?: string | undefined } }
  'timeline/traffic': { readonly request: { readonly server: string; readonly on: boolean }; readonly answer: Empty }
  'timeline/export': { readonly request: { readonly format: 'mermaid' | 'json'; readonly filter?: TimelineFilter | undefined }; readonly answer: Download }

  /** Newest first, before a position. `next` absent: there is nothing older. */
  'audit/list': {
    readonly request: { readonly before?: number | undefined; readonly limit?: number | undefined; readonly filter?: AuditFilter | undefined }
    readonly answer: { readonly entries: readonly AuditRow[]; readonly next?: number | undefined }
  }
  'audit/verify': { readonly request: Empty; readonly answer: AuditVerification }
  'audit/export': { readonly request: { readonly filter?: AuditFilter | undefined }; readonly answer: Download }

  /** The stream; `window` names this tab, `after` is the id of the last event it has seen. The answer is `text/event-stream`: `id:` and `data:` (a `ConsoleEvent`). */
  events: { readonly request: { readonly after?: string | undefined }; readonly answer: ConsoleEvent }
}

export type CallName = keyof Calls

export type Empty = Readonly<Record<string, never>>

/** A file to be saved. */
export interface Download {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** The body of every answer that is not 200. */
export interface CallError {
  readonly error: Fault & { readonly data?: JsonObject | undefined }
}

/**
 * Codes that the app acts on: `SESSION_ENDED` (401: say so; nothing on this page holds any more), `LINK_USED` (401: the token was used or is too old),
 * `REQUEST_REFUSED` (403, 405, 413, 415: never from our own page, where nothing stands between: the page says how to open it anew). Others are of `docs/errors.md`, to be shown.
 */
export const sessionEndedCode = 'SESSION_ENDED'

/** What the screens are made of; the stream keeps it up to date. */
export interface Snapshot {
  /** This tab's name among the windows of the desk. */
  readonly window: string
  /** The desk's clock, in milliseconds since the epoch: ages and deadlines go by it. */
  readonly now: number
  readonly desk: DeskState
  /** Oldest first; ended ones that nobody has dismissed among them. */
  readonly reviews: readonly ReviewSummary[]
  /** Newest first; at most 200. */
  readonly done: readonly DoneReview[]
  readonly servers: readonly ServerSummary[]
  /** Calls made from the console that run, and the latest that ended. */
  readonly calls: readonly ToolCall[]
  readonly preferences: Preferences
}

export interface DeskState {
  readonly alwaysAsk: boolean
  /** The config cannot be read: the rules are suspended, people are asked. */
  readonly configFault?: Fault | undefined
  /** The audit log cannot be written: nothing is answered. */
  readonly auditFault?: Fault | undefined
  /** The travel server of the demo is connected. */
  readonly demo: boolean
}

/** One line of the stream. */
export type ConsoleEvent =
  /** Everything anew: first of all, and whenever what was missed is not kept any more. */
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  /** First after a lost connection: nothing was lost, what was missed follows. */
  | { readonly type: 'resumed'; readonly window: string; readonly now: number }
  | { readonly type: 'review-opened'; readonly review: ReviewSummary }
  /** What it shows beside its draft is different now: it is to be read again. */
  | { readonly type: 'review-changed'; readonly review: ReviewSummary }
  /** By a person: it is done, and `done` has it. Otherwise it turns grey, and stays. */
  | { readonly type: 'review-closed'; readonly id: string; readonly ended: ReviewEnd; readonly done?: DoneReview | undefined }
  | { readonly type: 'review-dismissed'; readonly id: string }
  /** Of another window, or a model that writes (`window` absent). Your own come back too: ignore them. */
  | {
      readonly type: 'draft-changed'
      readonly id: string
      readonly draft: ShownDrafts[keyof ShownDrafts]
      readonly window?: string | undefined
    }
  | { readonly type: 'server-changed'; readonly server: ServerSummary }
  | { readonly type: 'server-removed'; readonly name: string }
  /** Its folders, rules, grants, tools or stderr are others now: look again if they are on screen. */
  | { readonly type: 'server-touched'; readonly name: string; readonly what: 'roots' | 'rules' | 'grants' | 'tools' | 'stderr' | 'entry' }
  | { readonly type: 'call-changed'; readonly call: ToolCall }
  | { readonly type: 'timeline-grew'; readonly events: readonly TimelineEvent[] }
  | { readonly type: 'desk-changed'; readonly desk: DeskState }
  | { readonly type: 'preferences-changed'; readonly preferences: Preferences }
  /** The last one: signed out in another tab, idle for too long, or the desk closes. */
  | { readonly type: 'session-ended'; readonly reason: 'signed-out' | 'idle' | 'desk-closed' }
