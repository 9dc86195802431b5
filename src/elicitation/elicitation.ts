import { ConsentryError } from '../errors.ts'
import type {
  DecidedBy,
  Decision,
  FieldFault,
  Form,
  InputRequest,
  InputResponse,
  JsonObject,
  Origin,
  Reviewer,
  Settlement,
  UrlCard,
} from '../protocol/index.ts'
import { answerByRule, type StandingNeeds } from './answer-by-rule.ts'
import { fingerprintOf } from './form-fingerprint.ts'
import { parseForm } from './parse-form.ts'
import { readElicitation, type FormElicitation, type UrlElicitation } from './read-elicitation.ts'
import { readUrl } from './read-url.ts'
import { readValues, settleDefaults } from './read-values.ts'

export interface ElicitationNeeds extends StandingNeeds {
  readonly reviewer: Reviewer
}

/**
 * Answers one `elicitation/create`: a form that a person fills in, or a URL that a person visits.
 *
 * Never rejects because of what a person does: declining and cancelling are answers. A rule may decline for a person, but accepts only with values that
 * the user wrote. Where nobody decides, the server is told `cancel`. Never opens a URL: whoever shows it does, after consent.
 *
 * @see MCP 2025-11-25 client/elicitation "Protocol Messages", "Response Actions"
 */
export async function elicit(request: InputRequest, origin: Origin, needs: ElicitationNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    const elicitation = readElicitation(request.params, origin.era)
    return elicitation.mode === 'url' ? await elicitVisit(elicitation, origin, needs, signal) : await elicitForm(elicitation, origin, needs, signal)
  } catch (cause) {
    const error = cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The question could not be asked: an error of ours.', { cause })
    return { outcome: 'refused', by: 'none', error }
  }
}

async function elicitForm({ message, requestedSchema }: FormElicitation, origin: Origin, needs: ElicitationNeeds, signal: AbortSignal): Promise<InputResponse> {
  const { reviewer } = needs
  const form = await settleDefaults(parseForm(requestedSchema), needs)
  const fingerprint = fingerprintOf(form)
  const standing = await answerByRule(form, { kind: 'elicitation', origin, mode: 'form', message, schema: fingerprint }, needs)
  const known = formFacts(form, fingerprint)
  if (standing.outcome === 'decline') return answer({ action: 'decline' }, 'rule', { ...known, rule: standing.rule })
  if (standing.outcome === 'accept') return answer({ action: 'accept', content: standing.values }, 'rule', { ...known, rule: standing.rule })
  const { because } = standing
  const facts = because === undefined ? known : { ...known, askedBecause: because.key, ...because.facts }

  if (!reviewer.canReview('form')) return unanswered({ outcome: 'nobody' }, facts)
  const check = async (decision: Decision<'form'>): Promise<readonly FieldFault[]> => {
    const result = decision.action === 'accept' ? await readValues(form, decision.content, needs) : undefined
    return result === undefined || result.ok ? [] : result.faults
  }
  const subject = { message, form, fingerprint, because }
  // A form that is too large to be told from others is like none.
  const sameness = fingerprint === undefined ? undefined : JSON.stringify(['form', message, fingerprint])
  const settlement = await reviewer.review({ kind: 'form', origin, subject, draft: {}, check, sameness }, signal)
  if (settlement.outcome !== 'decided') return unanswered(settlement, facts)
  const { decision, by } = settlement
  if (decision.action !== 'accept') return answer({ action: decision.action }, by, facts)

  // Whoever reviewed it: what leaves is checked here, last.
  const leaving = await readValues(form, decision.content, needs)
  return leaving.ok ? answer({ action: 'accept', content: leaving.values }, by, facts) : unanswered({ outcome: 'unfit', faults: leaving.faults }, facts)
}

async function elicitVisit(
  { message, url, elicitationId }: UrlElicitation,
  origin: Origin,
  { policy, reviewer }: ElicitationNeeds,
  signal: AbortSignal,
): Promise<InputResponse> {
  const { target } = origin.server
  const card = readUrl(url, target.kind === 'http' ? new URL(target.url).origin : undefined)
  const facts = visitFacts(card)

  // No rule can consent to a visit: it takes somebody to go there.
  const ruling = policy.decide({ kind: 'elicitation', origin, mode: 'url', message })
  if (ruling.outcome === 'deny') return answer({ action: 'decline' }, 'rule', { ...facts, rule: ruling.rule })

  if (!reviewer.canReview('url')) return unanswered({ outcome: 'nobody' }, facts)
  const sameness = JSON.stringify(['url', message, card.url])
  const settlement = await reviewer.review({ kind: 'url', origin, subject: { message, card, elicitationId }, draft: undefined, sameness }, signal)
  return settlement.outcome === 'decided' ? answer({ action: settlement.decision.action }, settlement.by, facts) : unanswered(settlement, facts)
}

function answer(result: JsonObject, by: DecidedBy, facts: JsonObject): InputResponse {
  return { outcome: 'answered', by, result, facts }
}

/** Nobody decided: the server is told `cancel`, never `decline`. */
function unanswered(settlement: Exclude<Settlement<'form' | 'url'>, { readonly outcome: 'decided' }>, facts: JsonObject): InputResponse {
  const cancelled = { outcome: 'answered', by: 'none', result: { action: 'cancel' } } as const
  switch (settlement.outcome) {
    case 'withdrawn':
      return { outcome: 'withdrawn', reason: settlement.reason }
    case 'unfit': {
      const faults = settlement.faults.map(({ field, message }) => ({ field, message }))
      return { ...cancelled, unanswered: 'answer-does-not-fit', facts: { ...facts, faults } }
    }
    case 'nobody':
      return { ...cancelled, unanswered: 'no-one-to-ask', facts }
    case 'timed-out':
    case 'desk-closed':
    case 'too-many-waiting':
    case 'asked-too-often':
    case 'muted':
      return { ...cancelled, unanswered: settlement.outcome, facts }
    default:
      return settlement satisfies never
  }
}

/** Names only: what a server wrote and what somebody typed are not for the audit log. */
function formFacts({ fields }: Form, fingerprint: string | undefined): JsonObject {
  const names = fields.map(({ name }) => name)
  const secretFields = fields.filter(({ secret }) => secret !== undefined).map(({ name }) => name)
  return { mode: 'form', fields: names, secretFields, ...(fingerprint !== undefined && { schema: fingerprint }) }
}

function visitFacts({ host, site, warnings }: UrlCard): JsonObject {
  return { mode: 'url', host, site, warnings: warnings.map(({ code }) => code) }
}
