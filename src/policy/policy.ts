import type { InputKind, JsonObject, LimitState, Origin, Phrase, ServerIdentity } from '../protocol/index.ts'
import { askPhrase } from './ask-phrase.ts'
import { recognize, type KnownServer } from './known-server.ts'
import { Budget, type RoomRequest } from './budget.ts'
import type { LimitSet } from './limit-set.ts'
import type { Reservation } from './reservation.ts'
import { isExact, isExpired, type Limits, type Rule } from './rule.ts'
import { usualToolRounds, type SamplingConfig, type SamplingSettings } from './sampling-settings.ts'
import type { SpendingLedger } from './spending.ts'
import { matchesPattern } from './text-pattern.ts'

/** What is to be decided: who asks for what. */
export interface PolicyQuestion {
  readonly kind: InputKind
  readonly origin: Pick<Origin, 'server'>
  /** Elicitation only. */
  readonly mode?: 'form' | 'url' | undefined
  readonly message?: string | undefined
  /** The fingerprint of the form's schema. */
  readonly schema?: string | undefined
}

/** What the user's rules say. `rule` names the rule (`rules[2]`); `because` says why a person is asked though a rule would allow it. */
export type Ruling =
  | {
      readonly outcome: 'allow'
      readonly rule: string
      readonly content?: JsonObject | undefined
      readonly limits?: Limits | undefined
      /** The one review that a person sees all the same. */
      readonly review?: Rule['review']
    }
  | { readonly outcome: 'deny'; readonly rule: string }
  | {
      readonly outcome: 'ask'
      readonly because?: Phrase | undefined
      /** True where a rule, the switch or a doubt says so: then nothing that a person had remembered stands in for them. */
      readonly firm?: boolean | undefined
    }

/** What one request may take at most; for sampling, absent means unknown, for everything else nothing. */
export interface ReservationRequest extends PolicyQuestion {
  readonly tokens?: number | undefined
  readonly cost?: number | undefined
  /** `provider:model`. */
  readonly model?: string | undefined
  /** A person's "don't ask again" stands in for a rule: where the user set no limits, the usual ones hold. */
  readonly remembered?: boolean | undefined
}

export interface PolicyOptions {
  readonly rules?: readonly Rule[] | undefined
  readonly knownServers?: ReadonlyMap<string, KnownServer> | undefined
  readonly alwaysAsk?: boolean | undefined
  /** Limits and wishes for model requests, by server and in total. */
  readonly sampling?: SamplingConfig | undefined
  /** Default: in memory. */
  readonly spending?: SpendingLedger | undefined
  /** This life of the program, for limits that hold for a run. Default: made up. */
  readonly run?: string | undefined
  readonly now?: (() => number) | undefined
}

/**
 * The user's rules: the first that matches decides, and without one a person is asked.
 *
 * Doubt only narrows: what allows must be certain to be meant, what denies need not be.
 */
export class Policy {
  /** The user's switch "always ask me": overrides every allow, and no deny, until it is off. Whoever sets it keeps it. */
  alwaysAsk: boolean
  #rules: readonly Rule[]
  #knownServers: ReadonlyMap<string, KnownServer>
  #suspended: string | undefined
  readonly #budget: Budget
  readonly #now: () => number

  constructor({ rules = [], knownServers = new Map(), alwaysAsk = false, now = Date.now, ...budget }: PolicyOptions = {}) {
    this.#rules = rules
    this.#knownServers = knownServers
    this.alwaysAsk = alwaysAsk
    this.#budget = new Budget({ ...budget, now })
    this.#now = now
  }

  /** Puts other rules in force, and ends a suspension. */
  update(rules: readonly Rule[], knownServers: ReadonlyMap<string, KnownServer> = this.#knownServers, sampling?: SamplingConfig): void {
    if (sampling !== undefined) this.#budget.update(sampling)
    this.#rules = rules
    this.#knownServers = knownServers
    this.#suspended = undefined
  }

  /** Nothing is allowed by a rule until `update`: the file that says so cannot be read. What was denied stays denied. */
  suspend(reason: string): void {
    this.#suspended = reason
  }

  decide(question: PolicyQuestion): Ruling {
    const { rule, name, doubt } = this.#find(question)
    if (rule?.decision === 'deny') return { outcome: 'deny', rule: name }
    if (rule?.decision !== 'allow') return ask(doubt, rule !== undefined || doubt !== undefined || this.alwaysAsk || this.#suspended !== undefined)
    if (this.#suspended !== undefined) return ask(askPhrase('rules-suspended', { reason: this.#suspended }))
    if (this.alwaysAsk) return ask(askPhrase('always-ask', {}))
    if (doubt !== undefined) return ask(doubt)
    const allowed = { outcome: 'allow', rule: name, ...(rule.limits && { limits: rule.limits }) } as const
    if (question.kind !== 'elicitation') return { ...allowed, ...(question.kind === 'sampling' && rule.review && { review: rule.review }) }
    if (question.mode === 'url') return ask(askPhrase('rule-needs-person', { rule: name }))
    if (rule.content === undefined) return ask(askPhrase('rule-without-content', { rule: name }))
    if (!isExact(rule)) return ask(askPhrase('rule-inexact', { rule: name }))
    return { ...allowed, content: rule.content }
  }

  /** True where a question of this kind could be answered by a rule now, with nobody there: what may be promised without a person. */
  mayAllow(kind: InputKind, server: ServerIdentity): boolean {
    if (this.#suspended !== undefined || this.alwaysAsk || this.#doubtAbout(server) !== undefined) return false
    for (const rule of this.#rules) {
      if (isExpired(rule, this.#now()) || (rule.request ?? kind) !== kind || (isConditional(rule) && kind !== 'elicitation')) continue
      const certainty = certaintyOf(rule, server)
      if (certainty === 'no' || (certainty === 'guessed' && rule.decision === 'allow')) continue
      const canAnswer =
        kind === 'elicitation' ? rule.content !== undefined && isExact(rule) && rule.mode !== 'url' : kind !== 'sampling' || rule.review === undefined
      if (certainty === 'yes' && rule.decision === 'allow' && canAnswer) return true
      if (!isConditional(rule)) return false
    }
    return false
  }

  /**
   * Takes room in the limits that hold: of the rule that matches, of the server and of all together, whoever decides in the end. Without limits there is always room.
   *
   * @throws ConsentryError `LIMIT_REACHED` when there is not enough left; `data` has `limit`, `allowed`, `remaining`, `limits` and, where it frees itself, `retryAfterSeconds`
   */
  reserve(request: ReservationRequest): Promise<Reservation> {
    const { kind, tokens, cost } = request
    return this.#budget.reserve(this.#roomFor(request), { tokens, cost: kind === 'sampling' ? cost : (cost ?? 0) })
  }

  /** The limits that hold for a model request, and how far each is used up. */
  limitsOf(request: ReservationRequest): Promise<readonly LimitState[]> {
    return this.#budget.look(this.#roomFor(request))
  }

  /**
   * A person gives these limits more room: their own amount `by` times, and as much as the request wants at least. It ends with this run, or with the day
   * of a limit that has one; with `lasts: 'day'`, restarts and other processes know of it.
   *
   * @throws ConsentryError `STORE_UNAVAILABLE`
   */
  raise(
    request: ReservationRequest,
    limits: readonly LimitState[],
    { by = 1, lasts = 'run' }: { readonly by?: number | undefined; readonly lasts?: 'run' | 'day' | undefined } = {},
  ): Promise<void> {
    return this.#budget.raise(this.#roomFor(request), limits, { by, lasts, tokens: request.tokens ?? 0, cost: request.cost ?? 0 })
  }

  /** Rounds of tool use after which a conversation is ended. */
  toolRoundsOf(request: ReservationRequest): number {
    return this.#budget.leastOf('toolRounds', this.#roomFor(request)) ?? usualToolRounds
  }

  /** What the user wishes for the model requests of a server. */
  samplingOf({ name }: Pick<ServerIdentity, 'name'>): SamplingSettings {
    return this.#budget.settingsOf(name)
  }

  #roomFor(request: ReservationRequest): RoomRequest {
    const { rule, name } = this.#find(request)
    const { kind, origin, model, remembered = false } = request
    const counts = { rule: rule === undefined ? '' : ruleKey(rule), server: origin.server.name }
    const ruled: LimitSet | undefined = rule?.limits && { scope: 'rule', name, limits: rule.limits, counts }
    return { kind, ...counts, model, ruled, remembered }
  }

  /** The first rule that matches; `doubt` says why it must not allow anything. */
  #find({ origin: { server }, ...question }: PolicyQuestion): { rule?: Rule; name: string; doubt?: Phrase } {
    let doubt = this.#doubtAbout(server)
    let changed: Phrase | undefined
    for (const [index, rule] of this.#rules.entries()) {
      if (isExpired(rule, this.#now()) || !isAbout(rule, question)) continue
      const name = `rules[${index}]`
      const certainty = certaintyOf(rule, server)
      if (rule.schema !== undefined && rule.schema !== question.schema) {
        if (certainty === 'yes' && rule.decision === 'allow') changed ??= askPhrase('rule-other-form', { rule: name })
        continue
      }
      if (certainty === 'yes' || (certainty === 'guessed' && rule.decision === 'deny')) return { rule, name, ...(doubt !== undefined && { doubt }) }
      if (certainty === 'guessed' && rule.decision === 'ask') doubt ??= askPhrase('rule-asks', { rule: name })
    }
    doubt ??= changed
    return { name: 'no rule', ...(doubt !== undefined && { doubt }) }
  }

  #doubtAbout(server: ServerIdentity): Phrase | undefined {
    if (!server.named || recognize(server, this.#knownServers) !== 'different') return undefined
    return askPhrase('rule-other-command', { server: server.name })
  }
}

/** A mode, a message or a schema is something that only elicitation has. */
function isConditional(rule: Rule): boolean {
  return rule.mode !== undefined || rule.message !== undefined || rule.schema !== undefined
}

/** Whether a rule is for a server: certainly only by a name that the user gave. */
function certaintyOf(rule: Rule, server: ServerIdentity): 'yes' | 'no' | 'guessed' {
  if (rule.server === undefined || rule.server === '*') return 'yes'
  if (rule.server !== server.name) return 'no'
  return server.named ? 'yes' : 'guessed'
}

function isAbout(rule: Rule, question: Omit<PolicyQuestion, 'origin'>): boolean {
  if (isConditional(rule) && question.kind !== 'elicitation') return false
  if (rule.request !== undefined && rule.request !== question.kind) return false
  if (rule.mode !== undefined && rule.mode !== question.mode) return false
  return rule.message === undefined || (question.message !== undefined && matchesPattern(rule.message, question.message))
}

/** What the rule is about, so that moving it or changing its limits keeps the count. */
function ruleKey(rule: Rule): string {
  return JSON.stringify([rule.server ?? '*', rule.request ?? '*', rule.mode ?? '*', rule.message ?? '*', ...(rule.schema === undefined ? [] : [rule.schema])])
}

function ask(because?: Phrase, firm = true): Ruling {
  return { outcome: 'ask', ...(because !== undefined && { because }), ...(firm && { firm }) }
}
