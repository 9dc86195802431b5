import { ConsentryError } from '../errors.ts'
import { askPhrase, type Policy, type PolicyQuestion } from '../policy/index.ts'
import type { Form, FormValues, Phrase } from '../protocol/index.ts'
import type { PatternMatcher } from './match-pattern.ts'
import { readValues } from './read-values.ts'

export interface StandingNeeds {
  readonly policy: Pick<Policy, 'decide' | 'reserve'>
  readonly matchPattern: PatternMatcher
}

/** What the user's rules make of a form. Where a person is asked though a rule was written for it, `because` says why. */
export type StandingAnswer =
  | { readonly outcome: 'decline'; readonly rule: string }
  | { readonly outcome: 'accept'; readonly rule: string; readonly values: FormValues }
  | { readonly outcome: 'ask'; readonly because?: Phrase | undefined }

/** Lets the user's rules answer a form: with their explicit values, checked against it as a person's are, or not at all. */
export async function answerByRule(form: Form, question: PolicyQuestion, needs: StandingNeeds): Promise<StandingAnswer> {
  const ruling = needs.policy.decide(question)
  if (ruling.outcome === 'deny') return { outcome: 'decline', rule: ruling.rule }
  if (ruling.outcome === 'ask') return ruling
  const { rule, content } = ruling
  if (content === undefined) return { outcome: 'ask' }
  const written = await readValues(form, content, needs)
  if (!written.ok) return { outcome: 'ask', because: askPhrase('rule-does-not-fit', { rule }) }
  const hasRoom = await takesRoom(needs.policy, question)
  return hasRoom ? { outcome: 'accept', rule, values: written.values } : { outcome: 'ask', because: askPhrase('rule-over-limit', { rule }) }
}

/** Whether a rule may answer once more; beyond its limits a person is asked. */
async function takesRoom(policy: Pick<Policy, 'reserve'>, question: PolicyQuestion): Promise<boolean> {
  try {
    const reservation = await policy.reserve(question)
    await reservation.settle({})
    return true
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'LIMIT_REACHED') return false
    throw error
  }
}
