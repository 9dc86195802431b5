import type { Limits } from './rule.ts'

/** How model requests of one server are handled. */
export interface SamplingSettings {
  readonly limits?: Limits | undefined
  /** Secrets and personal data are taken out before a model, or anybody, sees them. Default: no. */
  readonly redact?: boolean | undefined
  /** The audit log also keeps what was asked and answered, without what looks like a secret. Default: no. */
  readonly keepText?: boolean | undefined
}

/** The config's `sampling`. */
export interface SamplingConfig {
  /** Limits of all servers together. */
  readonly total?: Limits | undefined
  /** By server name; `*` is every server, and what a server's own entry says goes before it. */
  readonly servers: ReadonlyMap<string, SamplingSettings>
}

export const noSamplingConfig: SamplingConfig = { servers: new Map() }

/** Rounds of tool use that end a conversation where the user set no limit: a loop that never ends is nobody's wish. */
export const usualToolRounds = 25

/** What holds where a person said "don't ask again" and set no limits: a yes without a bound is no yes. */
export const usualLimits: Limits = { requestsPerMinute: 10, tokensPerDay: 100_000 }

/** The settings that hold for a server. */
export function settingsOf({ servers }: SamplingConfig, server: string): SamplingSettings {
  const every = servers.get('*')
  const own = servers.get(server)
  return { ...every, ...own, limits: { ...every?.limits, ...own?.limits } }
}
