import type { Grants } from '../policy/index.ts'
import { BudgetQuestions } from './budget-questions.ts'
import { SamplingConsents } from './consents.ts'

/** What is known from one model request to the next, in one run: what people had remembered, and which budgets they are asked about. */
export interface SamplingMemory {
  readonly consents: SamplingConsents
  readonly budgets: BudgetQuestions
}

/** @param grants where "always" and "never" are kept over restarts; default: they end with the run */
export function createSamplingMemory(grants?: Pick<Grants, 'find' | 'add' | 'revoke'>): SamplingMemory {
  return { consents: new SamplingConsents({ grants }), budgets: new BudgetQuestions() }
}
