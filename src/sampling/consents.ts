import { serverKey, type Grant, type Grants } from '../policy/index.ts'
import type { SamplingRemembrance, ServerIdentity } from '../protocol/index.ts'

/** What a person had remembered about the model requests of one server. */
export interface SamplingConsent {
  readonly says: 'allow' | 'deny'
  readonly for: 'run' | 'always'
  /** The reviews that are not shown any more. */
  readonly skip: 'prompt' | 'completion' | 'both'
  /** Milliseconds since the epoch: it holds until then. */
  readonly until?: number | undefined
}

export interface SamplingConsentsOptions {
  /** Where "always" and "never" are kept over restarts. Default: nowhere, so that they end with the run. */
  readonly grants?: Pick<Grants, 'find' | 'add' | 'revoke'> | undefined
}

/**
 * What people had remembered: "for this run" ends with the program, "always" and "never" are kept until they are revoked.
 * What was said last holds; a denial that is kept goes before everything that was said for a run.
 */
export class SamplingConsents {
  readonly #grants: SamplingConsentsOptions['grants']
  readonly #ofRun = new Map<string, SamplingConsent>()

  constructor({ grants }: SamplingConsentsOptions = {}) {
    this.#grants = grants
  }

  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  async find(server: ServerIdentity): Promise<SamplingConsent | undefined> {
    const kept = (await this.#grants?.find(server, 'sampling'))?.map(readGrant).find((consent) => consent !== undefined)
    const ofRun = this.#ofRun.get(serverKey(server))
    return kept?.says === 'deny' ? kept : (ofRun ?? kept)
  }

  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  async remember(server: ServerIdentity, says: 'allow' | 'deny', { for: scope, until, skip = 'both' }: SamplingRemembrance): Promise<void> {
    const consent: SamplingConsent = { says, for: scope, skip: says === 'deny' ? 'both' : skip }
    if (scope === 'run' || this.#grants === undefined) {
      this.#ofRun.set(serverKey(server), consent)
      return
    }
    // Other things that were said of model requests stay.
    for (const grant of await this.#grants.find(server, 'sampling')) if (readGrant(grant) !== undefined) await this.#grants.revoke(grant.id)
    await this.#grants.add(server, { kind: 'sampling', details: { says, skip: consent.skip }, ...(until !== undefined && { expiresAt: until }) })
    this.#ofRun.delete(serverKey(server))
  }

  /** What was said for this run. */
  ofRun(server: ServerIdentity): SamplingConsent | undefined {
    return this.#ofRun.get(serverKey(server))
  }

  /** Takes back what was said for this run; what is kept is revoked where it is kept. @returns false where nothing was said */
  forgetRun(server: ServerIdentity): boolean {
    return this.#ofRun.delete(serverKey(server))
  }
}

/** What cannot be read allows nothing. */
function readGrant({ details: { says, skip }, expiresAt: until }: Pick<Grant, 'details' | 'expiresAt'>): SamplingConsent | undefined {
  const kept = { for: 'always', ...(until !== undefined && { until }) } as const
  if (says === 'deny') return { says, skip: 'both', ...kept }
  if (says !== 'allow' || (skip !== 'prompt' && skip !== 'completion' && skip !== 'both')) return undefined
  return { says, skip, ...kept }
}
