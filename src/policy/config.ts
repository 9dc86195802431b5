import type { RootMapping } from '../paths/index.ts'
import type { Rule } from './rule.ts'
import { noSamplingConfig, type SamplingConfig } from './sampling-settings.ts'
import type { StartWishes } from './start-wishes.ts'

/** Where the config is read: what `~` and relative paths stand for. */
export interface ConfigPlace {
  readonly home: string
  /** The folder of the config file; `cwd` of a server is relative to it. */
  readonly directory: string
  readonly platform: 'posix' | 'win32'
}

/** How a server is started or reached, as the user wrote it. `${NAME}` in `env` and `headers` is kept: see `expandVariables`. */
export type ServerEntry =
  | ({
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** Absolute. */
      readonly cwd?: string | undefined
      /** What is done to the command before it is started. */
      readonly wishes?: StartWishes | undefined
    } & CommonEntry)
  | ({ readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> } & CommonEntry)

interface CommonEntry {
  readonly disabled: boolean
  /** What the entry says for other programs and we do not do, a sentence each. */
  readonly notes?: readonly string[] | undefined
}

/** A folder that servers may be told about; being in the config is the user's consent. */
export interface RootEntry {
  /** Absolute; `~` is expanded, nothing else is changed. */
  readonly path: string
  readonly name?: string | undefined
  /** A held server (`sandbox`) may only read it. */
  readonly readOnly?: boolean | undefined
}

/** The forms in which models are spoken to. */
export const modelApis = ['anthropic', 'openai', 'google', 'openai-compatible'] as const

/** Where a key is kept, if it is neither in the config nor in the environment: under a name in the system's keyring, or with a program that prints it. */
export type KeySource =
  | { readonly kind: 'keyring'; readonly name: string }
  | { readonly kind: 'command'; readonly program: string; readonly args: readonly string[] }

/** A model that may answer sampling. */
export interface ModelEntry {
  readonly provider: string
  readonly model: string
  /** Default: the provider's own, where it is known; else `openai-compatible`. */
  readonly api?: (typeof modelApis)[number] | undefined
  readonly baseUrl?: string | undefined
  /** In a text, `${NAME}` is kept: see `expandVariables`. Default: the variable that the provider's own programs read, where it is known. */
  readonly apiKey?: string | KeySource | undefined
  /** Keys of `metadata` that may be passed on to this provider. Default: none. */
  readonly metadata?: readonly string[] | undefined
  /** USD per million tokens. */
  readonly cost?: { readonly input: number; readonly output: number } | undefined
  /** Tokens per second. */
  readonly speed?: number | undefined
  /** 0 to 1. */
  readonly intelligence?: number | undefined
  readonly modalities?: readonly ('text' | 'image' | 'audio')[] | undefined
  readonly tools?: boolean | undefined
  readonly contextTokens?: number | undefined
  /** Runs on this machine: without a price it costs nothing. */
  readonly local?: boolean | undefined
}

/** What stands in `config.jsonc`. */
export interface Config {
  readonly mcpServers: ReadonlyMap<string, ServerEntry>
  /** By server name; `*` is every server. */
  readonly roots: ReadonlyMap<string, readonly RootEntry[]>
  /** By server name: how servers that have other files than this machine know its folders. */
  readonly rootMappings: ReadonlyMap<string, readonly RootMapping[]>
  /** In the user's order. */
  readonly models: readonly ModelEntry[]
  readonly rules: readonly Rule[]
  readonly sampling: SamplingConfig
  readonly alwaysAsk: boolean
}

/** What holds where there is no file. */
export const emptyConfig: Config = {
  mcpServers: new Map(),
  roots: new Map(),
  rootMappings: new Map(),
  models: [],
  rules: [],
  sampling: noSamplingConfig,
  alwaysAsk: false,
}
