import type {
  AnswerCapabilities,
  Era,
  FieldFault,
  Form,
  InputKind,
  JsonObject,
  LimitState,
  Phrase,
  ProposedFolder,
  Revision,
  RootState,
} from '../protocol/index.ts'
import type { LimitName } from '../protocol/sampling-review.ts'
import type { Enforcement, FolderEvidence, ShownMedia } from './contract-inbox.ts'

/** What went wrong, in English, with a code of `docs/errors.md`. */
export interface Fault {
  readonly code: string
  readonly message: string
}

/** A server of the config, or one that a wrap stands in front of. */
export interface ServerSummary {
  readonly name: string
  /** `config`: this desk connects to it. `wrapped`: a client started it through `consentry wrap`, so that it cannot be started or stopped here. */
  readonly source: 'config' | 'wrapped'
  readonly kind: 'stdio' | 'http' | 'custom'
  /** The command line or the address, one line. */
  readonly target: string
  readonly state: 'disabled' | 'idle' | 'connecting' | 'ready' | 'reconnecting' | 'failed' | 'stopped'
  /** Why it failed, or is connected again. */
  readonly fault?: Fault | undefined
  /** The next try is due then. */
  readonly retryAt?: number | undefined
  readonly era?: Era | undefined
  readonly revision?: Revision | undefined
  /** What it says of itself: the server's own words. */
  readonly description?: { readonly name?: string | undefined; readonly version?: string | undefined } | undefined
  /** Applications that talk to it through a wrap. */
  readonly clients: readonly string[]
  /** Reviews of it that wait. */
  readonly waiting: number
}

/** Everything about one server. */
export interface ServerDetail extends ServerSummary {
  readonly instructions?: string | undefined
  /** What it declared. */
  readonly capabilities: JsonObject
  /** What it may ask now, as we declared it: absent while it is not connected. */
  readonly promised?: AnswerCapabilities | undefined
  /** What the config says of it; absent for wrapped ones that are not in it. */
  readonly entry?: ShownServerEntry | undefined
  /** That entry with everything in it: `before` of whoever changes it. */
  readonly mark?: string | undefined
  /** The last lines of its stderr, oldest first. */
  readonly stderr: readonly string[]
  readonly enforcement: Enforcement
  /** Folders that it may be told about: its own, those of every server, and granted ones. */
  readonly roots: readonly RootRow[]
  /** Rules that can match it, with their place in the config. */
  readonly rules: readonly RuleRow[]
  readonly grants: readonly GrantRow[]
  /** What limits hold for its model requests, and how far they are used up. */
  readonly budgets: readonly LimitState[]
  /** The limits that the config sets for this server alone. */
  readonly ownLimits: LimitsInput
  /** By which names it knows our folders, where it has files of its own; of two for one folder the last. */
  readonly mappings: readonly { readonly path: string; readonly uri: string }[]
  /** Folders that it was told, and when last (ISO 8601); newest first. */
  readonly told: readonly { readonly uri: string; readonly at: string }[]
  /** What was said about its model requests for this run: end it with `grants/end-run`. */
  readonly forRun?: 'allow' | 'deny' | undefined
  /** Nothing that it asks is shown in this run. */
  readonly muted: boolean
  /** Its whole traffic is kept in memory. */
  readonly traffic: boolean
}

/** An entry of the config. Values of `env` and `headers` never leave the desk, but for references such as `${TOKEN}`. */
export type ShownServerEntry =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly ShownValue[]
      readonly cwd?: string | undefined
      readonly disabled: boolean
      /** The operating system holds it to its folders; `offline`: and keeps it from the network. */
      readonly sandbox?: 'roots' | 'roots,offline' | undefined
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: readonly ShownValue[]; readonly disabled: boolean }

export interface ShownValue {
  readonly name: string
  /** Absent: there is one, and it is not shown. */
  readonly value?: string | undefined
}

/** An entry as a person writes it. A value that is absent keeps the one that is in the config. */
export type ServerEntryInput =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly ShownValue[]
      readonly cwd?: string | undefined
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: readonly ShownValue[] }

/** What writing to the config comes to. `text` is what the entry looks like there, secrets as `…`; nothing was written where `preview` was asked. */
export type ConfigChange =
  | { readonly status: 'changed'; readonly text: string }
  /** `shown`, of new servers: send it back to have this written, and nothing else. */
  | {
      readonly status: 'preview'
      readonly text: string
      readonly shown?: string | undefined
      readonly named?: readonly AlreadyNamed[] | undefined
      readonly keyInPlain?: boolean | undefined
    }
  /** The config cannot take it: what is wrong, with the place. Nothing was written. */
  | { readonly status: 'refused'; readonly fault: Fault }
  /** Somebody changed the same thing meanwhile: look again. */
  | { readonly status: 'stale' }

/** What the config says of a server before it is in it: it would hold for a new one of this name. */
export interface AlreadyNamed {
  readonly server: string
  readonly folders: readonly string[]
  readonly rules: readonly RuleInput[]
  /** How its model requests are answered, or by which names it knows folders. */
  readonly settings: boolean
}

/** A config file of another client, and what is in it. */
export interface ImportSource {
  /** Unique among the sources of one scan. */
  readonly id: string
  /** "Cursor", "Claude Desktop". */
  readonly client: string
  readonly file: string
  /** Absent: it could be read. */
  readonly fault?: Fault | undefined
  readonly servers: readonly ImportCandidate[]
}

export interface ImportCandidate {
  readonly name: string
  /** Absent: it cannot be used here, `fault` says why. */
  readonly entry?: ShownServerEntry | undefined
  readonly fault?: Fault | undefined
  /** Whether a server of this name is in the config already. */
  readonly known: 'no' | 'same' | 'different'
}

export interface ImportPick {
  readonly source: string
  readonly name: string
  /** Another name than it has there. */
  readonly as?: string | undefined
}

/** A rule of the config. */
export interface RuleRow extends RuleInput {
  /** Its place, from 0: earlier ones win. */
  readonly index: number
  readonly expired: boolean
}

export interface RuleInput {
  /** A server's name; absent or `*`: every server. */
  readonly server?: string | undefined
  readonly request?: InputKind | undefined
  readonly mode?: 'form' | 'url' | undefined
  /** A glob (`*`, `?`), or one text and no other. */
  readonly message?: string | { readonly exactly: string } | undefined
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly content?: JsonObject | undefined
  /** `YYYY-MM-DD`, the last day. */
  readonly until?: string | undefined
  readonly limits?: LimitsInput | undefined
  /** The fingerprint of the one form that is meant: `fingerprint` of a form review. */
  readonly schema?: string | undefined
  /** Sampling that is allowed: the one review that is shown all the same. */
  readonly review?: 'prompt' | 'completion' | undefined
}

/** Amounts by the name of a limit; what is absent is not limited. */
export type LimitsInput = { readonly [Name in LimitName]?: number | undefined }

/** `total`: all servers together. `each`: every server that has no limits of its own. */
export type LimitScope = 'total' | 'each'

export interface SharedLimits {
  readonly limits: { readonly [Scope in LimitScope]: LimitsInput }
  /** How far those of all together are used up. */
  readonly used: readonly LimitState[]
}

/** Something that a person had remembered. */
export interface GrantRow {
  readonly id: string
  readonly server: string
  readonly kind: InputKind
  readonly details: JsonObject
  /** What `details` say, where it is known. */
  readonly about?: GrantAbout | undefined
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
  readonly expiresAt?: number | undefined
}

/** What a person had remembered: a yes or a no, or what is to be done without asking again. */
export type GrantAbout =
  | { readonly what: 'folder'; readonly path: string }
  | { readonly what: 'no-folders' }
  /** Where the server goes on in folders that it should know no longer. */
  | { readonly what: 'kept-restart' | 'kept-leave' }
  /** `shown`: the one review that a person sees all the same. */
  | { readonly what: 'models-allowed'; readonly shown?: 'prompt' | 'completion' | undefined }
  | { readonly what: 'models-denied' }
  /** Its questions are answered here although this client could. */
  | { readonly what: 'answered-here'; readonly client: string }

/** A folder that servers may be told about, with how it stands now. */
export interface RootRow extends RootState {
  /** `*`: every server. */
  readonly server: string
  /** `run`: a person said yes for this run alone; take it back with `roots/end-run`. */
  readonly source: 'config' | 'run' | 'grant'
  /** Of `run`: which command or address it was for, where that is not connected now. It is told again only when that one comes back. */
  readonly away?: string | undefined
  /** For `grants/revoke`. */
  readonly grant?: string | undefined
  readonly expiresAt?: number | undefined
  readonly warning?: Phrase | undefined
  /** Of a folder for every server: those that know it by another name; `null`: not at all. */
  readonly elsewhere?: readonly { readonly server: string; readonly uri: string | null }[] | undefined
}

/** `invalid`: no folder can have this path here, or this name there. */
export type MapRootAnswer = ConfigChange | { readonly status: 'invalid'; readonly field: 'path' | 'uri' }

export type AddRootAnswer =
  | { readonly status: 'added' }
  /** The config has other folders for this server than were shown: nothing was written. */
  | { readonly status: 'stale' }
  /** Ask the person, then send it again with `confirmed`. */
  | { readonly status: 'unconfirmed'; readonly warning: Phrase }
  | { readonly status: 'refused'; readonly reason: Phrase }

/** A folder as the picker shows it. */
export interface BrowsedFolder {
  readonly path: string
  /** Absent at the top. */
  readonly parent?: string | undefined
  /** Folders in it by name, hidden ones last; at most 2,000. */
  readonly folders: readonly { readonly name: string; readonly path: string; readonly hidden: boolean }[]
  readonly more: boolean
  /** What lies in it was not said: it is a file, may not be read, or its disk gave no answer. */
  readonly unlisted?: true | undefined
  /** What there is to say about this folder itself. */
  readonly status: RootState['status']
  readonly uri?: string | undefined
  readonly reason?: Phrase | undefined
  readonly level: 'ok' | 'confirm' | 'block'
  readonly warning?: ProposedFolder['warning']
  readonly evidence: readonly FolderEvidence[]
  /** Of a server that is held to its folders; to all others it says nothing. */
  readonly offeredRepository?: ProposedFolder['offeredRepository']
}

/** One of the user's models, in their order. */
export interface ModelRow {
  /** `provider:model` */
  readonly id: string
  /** All that the config says of it: `before` of whoever removes it. */
  readonly mark: string
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string | undefined
  readonly key: ModelKey | TextKey
  /** The key goes to another machine without encryption. */
  readonly keyInPlain?: boolean | undefined
  /** USD per million tokens. */
  readonly cost?: { readonly input?: number | undefined; readonly output?: number | undefined } | undefined
  /** The day that the price is of, where it is ours and not the user's own. */
  readonly priceAsOf?: string | undefined
  readonly speed?: number | undefined
  readonly intelligence?: number | undefined
  readonly modalities: readonly string[]
  readonly tools?: boolean | undefined
  readonly contextTokens?: number | undefined
  readonly local?: boolean | undefined
}

/** How the key of a model is found; the key itself is on no page. */
export type ModelKey =
  /** None is needed, or none is known. */
  | { readonly kind: 'none' }
  /** A variable of the desk's environment. `usual`: the one that the provider's own programs read, of which the config need not speak. */
  | { readonly kind: 'variable'; readonly name: string; readonly usual?: boolean | undefined }
  | { readonly kind: 'keyring'; readonly name: string }
  | { readonly kind: 'command'; readonly program: string; readonly args: readonly string[] }

/** It stands in the config, for everybody to read who can read that file. */
export interface TextKey {
  readonly kind: 'text'
}

/** A model that is to be added. `usual` and `none` are the same there: the config says nothing of a key. */
export interface ModelEntryInput {
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string | undefined
  readonly key: ModelKey
}

/** A provider that needs no address. */
export interface ProviderRow {
  readonly name: string
  /** Where its own programs find the key. */
  readonly keyVariable?: string | undefined
  readonly local?: boolean | undefined
}

/** A server of models that answers on this machine. */
export interface LocalModels {
  readonly provider: string
  readonly baseUrl: string
  readonly models: readonly { readonly model: string; readonly isConfigured: boolean }[]
}

export type ModelTest = { readonly ok: true; readonly milliseconds: number; readonly text: string } | { readonly ok: false; readonly fault: Fault }

/** A tool of a server, as the server describes it. */
export interface ToolRow {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
  readonly annotations?: JsonObject | undefined
  /** Absent where the schema is more than a flat form can show: let people write JSON. */
  readonly form?: Form | undefined
}

/** A call made from the console. */
export interface ToolCall {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
  readonly startedAt: number
  readonly endedAt?: number | undefined
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress?: { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined } | undefined
  /** The questions it raised, oldest first: ids of reviews, open ones and ended ones. */
  readonly reviews: readonly string[]
  /** As the server sent it; media in `content` are `ShownMedia`. */
  readonly result?: ToolCallResult | undefined
  readonly fault?: Fault | undefined
}

export interface ToolCallResult {
  readonly content: readonly (ShownMedia | JsonObject)[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** Whether arguments fit a tool's input schema; a call may be made all the same. */
export type ArgumentCheck = { readonly status: 'fits' } | { readonly status: 'faulty'; readonly faults: readonly FieldFault[] }
