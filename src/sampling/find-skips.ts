import type { Ruling } from '../policy/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { SamplingConsent } from './consents.ts'

/** Which reviews are not shown for one request, and what says so. */
export interface Skips {
  readonly prompt: boolean
  readonly completion: boolean
  /** A person's "don't ask again" says so. */
  readonly remembered?: 'run' | 'always' | undefined
  /** For the audit log. */
  readonly facts: JsonObject
}

/** A rule of the user goes first; what a person had remembered holds only where no rule, no switch and no doubt says that they are asked. */
export function findSkips(ruling: Exclude<Ruling, { outcome: 'deny' }>, consent: SamplingConsent | undefined): Skips {
  if (ruling.outcome === 'allow') {
    const { review, rule } = ruling
    return { prompt: review !== 'prompt', completion: review !== 'completion', facts: { rule } }
  }
  if (ruling.firm === true || consent?.says !== 'allow') return { prompt: false, completion: false, facts: {} }
  const { skip, for: remembered } = consent
  return { prompt: skip !== 'completion', completion: skip !== 'prompt', remembered, facts: { remembered } }
}
