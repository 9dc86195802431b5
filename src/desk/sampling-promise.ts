import type { Policy } from '../policy/index.ts'
import type { Reviewer, ServerIdentity } from '../protocol/index.ts'
import type { SamplingConsent } from '../sampling/consents.ts'
import type { Models, SamplingMemory } from '../sampling/index.ts'

export interface SamplingPromiseNeeds {
  readonly policy: Pick<Policy, 'mayAllow' | 'decide'>
  readonly reviewer: Pick<Reviewer, 'canReview'>
  readonly models: Pick<Models, 'size'>
  /** Default: nothing is remembered. */
  readonly samplingMemory?: Pick<SamplingMemory, 'consents'> | undefined
  readonly now?: (() => number) | undefined
}

/** What was remembered may be taken back in another process. */
const lookEveryMs = 5000

/**
 * Whether a server may be told that it can ask models: somebody is there to see the request, or a model can answer and either a rule or what a person had
 * remembered stands in for both reviews. What is remembered is looked up only where it matters.
 */
export class SamplingPromise {
  /** Resolves when what was remembered has been looked up; until then less is promised. Never rejects. */
  readonly known: Promise<void>
  readonly #server: ServerIdentity
  readonly #needs: SamplingPromiseNeeds
  readonly #onNews: () => void
  #remembered: SamplingConsent | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /** @param onNews runs when a look finds another answer */
  constructor(server: ServerIdentity, needs: SamplingPromiseNeeds, onNews: () => void) {
    this.#server = server
    this.#needs = needs
    this.#onNews = onNews
    this.known = this.look()
  }

  get holds(): boolean {
    const { reviewer, models, policy } = this.#needs
    if (reviewer.canReview('prompt', this.#server)) return true
    return models.size > 0 && (policy.mayAllow('sampling', this.#server) || this.#isRemembered())
  }

  /** Looks again: other people are there, other models or other rules. */
  async look(): Promise<void> {
    clearTimeout(this.#timer)
    const { reviewer, models, samplingMemory } = this.#needs
    if (this.#isClosed || samplingMemory === undefined || models.size === 0 || reviewer.canReview('prompt', this.#server)) return
    const before = this.holds
    // What cannot be read allows nothing.
    this.#remembered = await samplingMemory.consents.find(this.#server).catch(() => undefined)
    if (this.#isClosed) return
    if (this.holds !== before) this.#onNews()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.look(), lookEveryMs)
    this.#timer.unref()
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** A rule that asks, the switch "always ask me" and a doubt about who the server is go before what was remembered. */
  #isRemembered(): boolean {
    const { policy, now = Date.now } = this.#needs
    const { says, skip, until = Infinity } = this.#remembered ?? {}
    if (says !== 'allow' || skip !== 'both' || now() >= until) return false
    const ruling = policy.decide({ kind: 'sampling', origin: { server: this.#server } })
    return ruling.outcome === 'ask' && ruling.firm !== true
  }
}
