import { ConsentryError } from '../errors.ts'
import type { InputKind, JsonObject, Origin, ServerIdentity } from '../protocol/index.ts'
import { matchesGlob } from './glob.ts'
import { recognize, type KnownServer } from './known-server.ts'
import { isExpired, type Limits, type Rule } from './rule.ts'
import { MemorySpending, type SpendingLedger, type Usage } from './spending.ts'

/** What is to be decided: who asks for what. */
export interface PolicyQuestion {
  readonly kind: InputKind
  readonly origin: Pick<Origin, 'server'>
  /** Elicitation only. */
  readonly mode?: 'form' | 'url' | undefined
  readonly message?: string | undefined
}

/** What the user's rules say. `rule` names the rule (`rules[2]`); `because` says why a person is asked though a rule would allow it. */
export type Ruling =
  | { readonly outcome: 'allow'; readonly rule: string; readonly content?: JsonObject | undefined; readonly limits?: Limits | undefined }
  | { readonly outcome: 'deny'; readonly rule: string }
  | { readonly outcome: 'ask'; readonly because?: string | undefined }

/** What one request may take at most; for sampling, absent means unknown, for everything else nothing. */
export interface ReservationRequest extends PolicyQuestion {
  readonly tokens?: number | undefined
  readonly cost?: number | undefined
}

/** Room in a budget, taken before anything is spent. One that is neither settled nor released stays counted in full. */
export interface Reservation {
  /** Books what was really used in place of what was reserved; what is not given stays as reserved. The first call counts. */
  settle(used: { readonly tokens?: number | undefined; readonly cost?: number | undefined }): Promise<void>
  /** Gives tokens and cost back; the request itself was made and stays counted. */
  release(): Promise<void>
}

export interface PolicyOptions {
  readonly rules?: readonly Rule[] | undefined
  readonly knownServers?: ReadonlyMap<string, KnownServer> | undefined
  readonly alwaysAsk?: boolean | undefined
  /** Default: in memory. */
  readonly spending?: SpendingLedger | undefined
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
  readonly #spending: SpendingLedger
  readonly #now: () => number

  constructor({ rules = [], knownServers = new Map(), alwaysAsk = false, spending = new MemorySpending(), now = Date.now }: PolicyOptions = {}) {
    this.#rules = rules
    this.#knownServers = knownServers
    this.alwaysAsk = alwaysAsk
    this.#spending = spending
    this.#now = now
  }

  /** Puts other rules in force, and ends a suspension. */
  update(rules: readonly Rule[], knownServers: ReadonlyMap<string, KnownServer> = this.#knownServers): void {
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
    if (rule?.decision !== 'allow') return ask(doubt)
    if (this.#suspended !== undefined) return ask(`the rules are suspended: ${this.#suspended}`)
    if (this.alwaysAsk) return ask('"always ask me" is on')
    if (doubt !== undefined) return ask(doubt)
    if (question.kind !== 'elicitation') return { outcome: 'allow', rule: name, ...(rule.limits && { limits: rule.limits }) }
    if (question.mode === 'url') return ask(`${name} cannot open an address: only a person can`)
    if (rule.content === undefined) return ask(`${name} has no "content" to answer with`)
    return { outcome: 'allow', rule: name, content: rule.content, ...(rule.limits && { limits: rule.limits }) }
  }

  /** True where a question of this kind could be answered by a rule now, with nobody there: what may be promised without a person. */
  mayAllow(kind: InputKind, server: ServerIdentity): boolean {
    if (this.#suspended !== undefined || this.alwaysAsk) return false
    for (const rule of this.#rules) {
      if (isExpired(rule, this.#now()) || (rule.request ?? kind) !== kind || (isConditional(rule) && kind !== 'elicitation')) continue
      const certainty = this.#isFor(rule, server)
      if (certainty === 'no' || (certainty === 'unnamed' && rule.decision === 'allow')) continue
      const canAnswer = kind !== 'elicitation' || (rule.content !== undefined && rule.mode !== 'url')
      if (certainty === 'yes' && rule.decision === 'allow' && canAnswer) return true
      if (!isConditional(rule)) return false
    }
    return false
  }

  /**
   * Takes room in the limits of the rule that matches, whoever decides in the end. Without limits there is always room.
   *
   * @throws ConsentryError `LIMIT_REACHED` when there is not enough left; `data` has `limit`, `allowed` and `remaining`
   */
  async reserve(request: ReservationRequest): Promise<Reservation> {
    const { rule, name } = this.#find(request)
    const limits = rule?.limits
    if (rule === undefined || limits === undefined) return noLimits
    const spendsMoney = request.kind === 'sampling'
    if (spendsMoney && limits.costPerDay !== undefined && request.cost === undefined) throw costUnknown(name, limits.costPerDay)
    const wanted = { tokens: amount(request.tokens), cost: amount(request.cost) }
    const key = { rule: ruleKey(rule), server: request.origin.server.name }
    const id = await this.#spending.book(key, wanted, this.#now(), (usage) => checkLimits(name, limits, usage, wanted))
    return new Booked(this.#spending, id, wanted)
  }

  #find(question: PolicyQuestion): { rule?: Rule; name: string; doubt?: string } {
    const { server } = question.origin
    let doubt: string | undefined
    for (const [index, rule] of this.#rules.entries()) {
      if (isExpired(rule, this.#now()) || !isAbout(rule, question)) continue
      const name = `rules[${index}]`
      const certainty = this.#isFor(rule, server)
      if (certainty === 'no') continue
      if (certainty === 'yes' || rule.decision === 'deny') return { rule, name, ...(doubt !== undefined && { doubt }) }
      if (certainty === 'other-command') doubt ??= `${name} is for another command than the one that "${server.name}" runs now`
      else if (rule.decision === 'ask') doubt ??= `${name} asks for a server of this name`
    }
    return { name: 'no rule', ...(doubt !== undefined && { doubt }) }
  }

  #isFor(rule: Rule, server: ServerIdentity): 'yes' | 'no' | 'unnamed' | 'other-command' {
    if (rule.server === undefined || rule.server === '*') return 'yes'
    if (rule.server !== server.name) return 'no'
    if (!server.named) return 'unnamed'
    return recognize(server, this.#knownServers) === 'different' ? 'other-command' : 'yes'
  }
}

class Booked implements Reservation {
  #done = false
  readonly #ledger: SpendingLedger
  readonly #id: string
  readonly #wanted: { readonly tokens: number; readonly cost: number }

  constructor(ledger: SpendingLedger, id: string, wanted: { readonly tokens: number; readonly cost: number }) {
    this.#ledger = ledger
    this.#id = id
    this.#wanted = wanted
  }

  async settle(used: { readonly tokens?: number | undefined; readonly cost?: number | undefined }): Promise<void> {
    if (this.#done) return
    this.#done = true
    await this.#ledger.correct(this.#id, { tokens: amount(used.tokens ?? this.#wanted.tokens), cost: amount(used.cost ?? this.#wanted.cost) })
  }

  async release(): Promise<void> {
    await this.settle({ tokens: 0, cost: 0 })
  }
}

const noLimits: Reservation = { settle: () => Promise.resolve(), release: () => Promise.resolve() }

/** A mode or a message is something that only elicitation has. */
function isConditional(rule: Rule): boolean {
  return rule.mode !== undefined || rule.message !== undefined
}

function isAbout(rule: Rule, question: PolicyQuestion): boolean {
  if (isConditional(rule) && question.kind !== 'elicitation') return false
  if (rule.request !== undefined && rule.request !== question.kind) return false
  if (rule.mode !== undefined && rule.mode !== question.mode) return false
  return rule.message === undefined || (question.message !== undefined && matchesGlob(rule.message, question.message))
}

/** What the rule is about, so that moving it or changing its limits keeps the count. */
function ruleKey(rule: Rule): string {
  return JSON.stringify([rule.server ?? '*', rule.request ?? '*', rule.mode ?? '*', rule.message ?? '*'])
}

function ask(because?: string): Ruling {
  return because === undefined ? { outcome: 'ask' } : { outcome: 'ask', because }
}

/** Nothing that could shrink a count, or make it incomparable, is ever booked. */
function amount(value: number | undefined): number {
  return value === undefined || !(value > 0) ? 0 : Math.min(value, Number.MAX_SAFE_INTEGER)
}

function checkLimits(rule: string, limits: Limits, usage: Usage, wanted: { readonly tokens: number; readonly cost: number }): void {
  if (limits.requestsPerMinute !== undefined && usage.requests + 1 > limits.requestsPerMinute)
    throw limitReached(rule, 'requestsPerMinute', limits.requestsPerMinute, limits.requestsPerMinute - usage.requests)
  if (limits.tokensPerDay !== undefined && isOver(usage.tokens, wanted.tokens, limits.tokensPerDay))
    throw limitReached(rule, 'tokensPerDay', limits.tokensPerDay, limits.tokensPerDay - usage.tokens)
  if (limits.costPerDay !== undefined && isOver(usage.cost, wanted.cost, limits.costPerDay))
    throw limitReached(rule, 'costPerDay', limits.costPerDay, limits.costPerDay - usage.cost)
}

/** A request that asks for nothing still needs something left: what it will use is not known. */
function isOver(used: number, wanted: number, allowed: number): boolean {
  return used + wanted > allowed || (wanted === 0 && used >= allowed && used > 0)
}

function limitReached(rule: string, limit: keyof Limits, allowed: number, remaining: number): ConsentryError {
  const left = Math.max(0, remaining)
  return new ConsentryError('LIMIT_REACHED', `${rule} allows ${limit} ${allowed}, and ${left} is left: wait, or raise the limit in the config`, {
    data: { rule, limit, allowed, remaining: left },
  })
}

function costUnknown(rule: string, allowed: number): ConsentryError {
  return new ConsentryError(
    'LIMIT_REACHED',
    `${rule} allows costPerDay ${allowed}, but the price of this model is not known: give the model its "cost" in the config`,
    {
      data: { rule, limit: 'costPerDay', allowed, reason: 'price-unknown' },
    },
  )
}
