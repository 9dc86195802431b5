import type { ConsentryError } from '../errors.ts'
import type { LimitName, Phrase } from '../protocol/index.ts'
import { phrase } from './phrases.ts'

/**
 * Why a limit keeps a request from a model, for whoever said yes to it.
 *
 * @returns undefined where nothing is left to say: it is no limit, or somebody was asked for more room already
 */
export function describeLimit(model: string, { code, message, data = {} }: ConsentryError): Phrase | undefined {
  if (code !== 'LIMIT_REACHED' || data['said'] !== undefined) return undefined
  const { reason, retryAfterSeconds: seconds = 60 } = data
  const allowed = typeof data['allowed'] === 'number' ? data['allowed'] : 0
  if (reason === 'price-unknown') return phrase('limit-needs-price', message, { model })
  const limit = data['limit'] as LimitName
  if (limit === 'requestsPerMinute') return phrase('limit-of-rate', message, { allowed, seconds: typeof seconds === 'number' ? seconds : 60 })
  return limit === 'atOnce' ? phrase('limit-at-once', message, { allowed }) : phrase('limit-of-amount', message)
}
