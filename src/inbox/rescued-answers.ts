import { isJsonObject, type Decision, type Field, type Review, type ReviewKind, type Settlement } from '../protocol/index.ts'
import { copyDecision } from './decision-shape.ts'

type Values = Readonly<Record<string, unknown>>

interface Kept {
  readonly values: Values
  /** When a person was last at it, in milliseconds since the epoch. */
  readonly at: number
  readonly until: number
}

interface EndedForm {
  readonly question: string
  readonly review: Review<'form'>
  readonly until: number
}

const KEPT_MS = 10 * 60_000
const MOST_KEPT = 100

/**
 * What people filled into forms whose asker gave up before they were done: kept for ten minutes, in memory, for when the same server asks the same again for the same application.
 * Whoever is asked then finds it filled in, and sends it or not. Fields that are marked as secrets are never kept.
 */
export class RescuedAnswers {
  readonly #kept = new Map<string, Kept>()
  /** Forms that ended under people's hands, by review: somebody may finish one all the same. */
  readonly #ended = new Map<string, EndedForm>()

  /** @param question equal for two questions of one server and one application that read the same @returns undefined where nothing was kept */
  find(question: string, now: number): Pick<Kept, 'values' | 'at'> | undefined {
    const kept = this.#kept.get(question)
    return kept !== undefined && kept.until > now ? kept : undefined
  }

  /** A form has ended: what a person had filled in is kept where the asker gave up, and forgotten where somebody decided. */
  takeEnd(review: Review<'form'>, question: string, { outcome }: Settlement<ReviewKind>, now: number): void {
    if (outcome === 'decided') this.#forget(question)
    if (outcome !== 'withdrawn' && outcome !== 'timed-out') return
    put(this.#ended, review.id, { question, review, until: now + KEPT_MS }, now)
    this.#keep(review, question, review.draft.value, now)
  }

  /** Somebody finished a form that had ended already. */
  takeLate(id: string, act: Decision, now: number): void {
    const ended = this.#ended.get(id)
    if (ended === undefined || ended.until <= now) return
    if (act.action === 'decline') return this.#forget(ended.question)
    if (act.action !== 'accept') return
    const decision = copyDecision(act)
    if ('content' in decision && isJsonObject(decision.content)) this.#keep(ended.review, ended.question, decision.content, now)
  }

  /** What a person has said since is what they want: nothing from before comes back, be it finished in a window that has not heard of it. */
  #forget(question: string): void {
    this.#kept.delete(question)
    for (const [id, ended] of this.#ended) if (ended.question === question) this.#ended.delete(id)
  }

  /** What nobody has touched since is no older for being asked again; what somebody has cleared does not come back. */
  #keep({ subject }: Review<'form'>, question: string, values: Values, now: number): void {
    const open = subject.form.fields.filter((field) => !field.secret && Object.hasOwn(values, field.name) && isOfKind(field, values[field.name]))
    const kept: Values = Object.fromEntries(open.map(({ name }) => [name, values[name]] as const))
    const before = this.find(question, now)?.values
    if (before !== undefined && isSame(before, kept)) return
    if (open.length === 0) this.#kept.delete(question)
    else put(this.#kept, question, { values: kept, at: now, until: now + KEPT_MS }, now)
  }
}

/** Something that a person could have put into such a field; whether it may be sent is another matter. `null` is left out on purpose. */
function isOfKind({ kind }: Field, value: unknown): boolean {
  if (value === null || typeof value === 'string') return kind !== 'multiple-choice' && kind !== 'text-list'
  switch (kind) {
    case 'text':
      return false
    case 'number':
    case 'integer':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'number' || typeof value === 'boolean'
    case 'multiple-choice':
    case 'text-list':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    default:
      return kind satisfies never
  }
}

/** Both have the order of the form's fields. */
function isSame(one: Values, other: Values): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Puts the newest last, and lets go of what is too old or too much. */
function put<Value extends { readonly until: number }>(map: Map<string, Value>, key: string, value: Value, now: number): void {
  map.delete(key)
  map.set(key, value)
  for (const [oldest, { until }] of map) {
    if (until > now && map.size <= MOST_KEPT) break
    map.delete(oldest)
  }
}
