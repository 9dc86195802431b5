import { ConsentryError } from '../errors.ts'
import type { Policy } from '../policy/index.ts'
import {
  isJsonObject,
  type Answered,
  type Decision,
  type DecidedBy,
  type FieldFault,
  type Form,
  type InputRequest,
  type InputResponse,
  type JsonObject,
  type Origin,
  type Reviewer,
  type Settlement,
} from '../protocol/index.ts'
import type { PatternMatcher } from './match-pattern.ts'
import { parseForm } from './parse-form.ts'
import { readUrl } from './read-url.ts'
import { readValues, settleDefaults } from './read-values.ts'

export interface ElicitationNeeds {
  readonly policy: Pick<Policy, 'decide'>
  readonly reviewer: Reviewer
  readonly matchPattern: PatternMatcher
}

/**
 * Answers one `elicitation/create`: a form that a person fills in, or a URL that a person visits.
 *
 * Never rejects because of what a person does: declining and cancelling are answers. A rule may decline for a person, but accepts only with values that the user wrote.
 * Never opens a URL: whoever shows it does, after consent.
 *
 * @see MCP 2025-11-25 client/elicitation "Protocol Messages"
 */
export async function elicit(request: InputRequest, origin: Origin, needs: ElicitationNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    const params = readParams(request.params)
    return params.mode === 'url' ? await elicitUrl(params, origin, needs, signal) : await elicitForm(params, origin, needs, signal)
  } catch (cause) {
    const error = cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The question could not be asked: an error of ours.', { cause })
    return { outcome: 'refused', by: 'none', error }
  }
}

async function elicitForm({ message, requestedSchema }: FormParams, origin: Origin, needs: ElicitationNeeds, signal: AbortSignal): Promise<InputResponse> {
  const { policy, reviewer } = needs
  const form = await settleDefaults(parseForm(requestedSchema), needs)
  const facts = factsOf(form)

  const ruling = policy.decide({ kind: 'elicitation', origin, mode: 'form', message })
  if (ruling.outcome === 'deny') return answer({ action: 'decline' }, 'rule', { ...facts, rule: ruling.rule })
  if (ruling.outcome === 'allow' && ruling.content !== undefined) {
    const given = await readValues(form, ruling.content, needs)
    if (given.ok) return answer({ action: 'accept', content: given.values }, 'rule', { ...facts, rule: ruling.rule })
  }

  const check = async (decision: Decision<'form'>): Promise<readonly FieldFault[]> => {
    if (decision.action !== 'accept') return []
    const result = await readValues(form, decision.content, needs)
    return result.ok ? [] : result.faults
  }
  const settlement = await reviewer.review({ kind: 'form', origin, subject: { message, form }, draft: {}, check }, signal)
  if (settlement.outcome !== 'decided') return undecided(settlement, facts)
  const { decision, by } = settlement
  if (decision.action !== 'accept') return answer({ action: decision.action }, by, facts)

  // Whoever reviewed it: what leaves is checked here, last.
  const values = await readValues(form, decision.content, needs)
  return values.ok ? answer({ action: 'accept', content: values.values }, by, facts) : undecided({ outcome: 'unfit', faults: values.faults }, facts)
}

async function elicitUrl({ message, url, elicitationId }: UrlParams, origin: Origin, needs: ElicitationNeeds, signal: AbortSignal): Promise<InputResponse> {
  const { policy, reviewer } = needs
  const { target } = origin.server
  const card = readUrl(url, target.kind === 'http' ? new URL(target.url).origin : undefined)
  const facts = { mode: 'url', host: card.host, warnings: card.warnings.map(({ code }) => code) }

  const ruling = policy.decide({ kind: 'elicitation', origin, mode: 'url', message })
  if (ruling.outcome === 'deny') return answer({ action: 'decline' }, 'rule', { ...facts, rule: ruling.rule })
  const settlement = await reviewer.review({ kind: 'url', origin, subject: { message, card, elicitationId }, draft: undefined }, signal)
  return settlement.outcome === 'decided' ? answer({ action: settlement.decision.action }, settlement.by, facts) : undecided(settlement, facts)
}

interface FormParams {
  readonly mode: 'form'
  readonly message: string
  readonly requestedSchema: unknown
}

interface UrlParams {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  readonly elicitationId: string | undefined
}

/** @throws ConsentryError `ELICITATION_INVALID` with what the server's author should change */
function readParams(params: unknown): FormParams | UrlParams {
  if (!isJsonObject(params)) throw invalid('"params" must be an object')
  const { mode = 'form', message } = params
  if (mode !== 'form' && mode !== 'url') throw invalid('"mode" must be "form" or "url"', 'mode')
  if (typeof message !== 'string') throw invalid('"message" must be a text that tells the person what is asked, and why', 'message')
  if (mode === 'url') {
    if (typeof params['url'] !== 'string') throw invalid('"url" must be a text', 'url')
    return { mode, message, url: params['url'], elicitationId: typeof params['elicitationId'] === 'string' ? params['elicitationId'] : undefined }
  }
  if (params['requestedSchema'] === undefined) {
    const hint = params['schema'] === undefined ? '' : ' ("schema" is not its name)'
    throw invalid(`"requestedSchema" is missing${hint}`, 'requestedSchema')
  }
  return { mode, message, requestedSchema: params['requestedSchema'] }
}

function invalid(message: string, field?: string): ConsentryError {
  return new ConsentryError('ELICITATION_INVALID', message, field === undefined ? {} : { data: { field } })
}

function answer(result: { readonly action: string; readonly content?: JsonObject }, by: DecidedBy, facts: JsonObject): Answered {
  return { outcome: 'answered', by, result, facts }
}

/** Nobody decided: the server is told `cancel`, never `decline`. */
function undecided(settlement: Exclude<Settlement<'form' | 'url'>, { readonly outcome: 'decided' }>, facts: JsonObject): InputResponse {
  const result = { action: 'cancel' }
  switch (settlement.outcome) {
    case 'withdrawn':
      return { outcome: 'withdrawn', reason: settlement.reason }
    case 'unfit': {
      const faults = settlement.faults.map(({ field, message }) => ({ field, message }))
      return { outcome: 'answered', by: 'none', unanswered: 'answer-does-not-fit', result, facts: { ...facts, faults } }
    }
    case 'nobody':
      return { outcome: 'answered', by: 'none', unanswered: 'no-one-to-ask', result, facts }
    case 'timed-out':
    case 'desk-closed':
    case 'too-many-waiting':
      return { outcome: 'answered', by: 'none', unanswered: settlement.outcome, result, facts }
    default:
      return settlement satisfies never
  }
}

function factsOf({ fields }: Form): JsonObject {
  return { mode: 'form', fields: fields.map(({ name }) => name), secretFields: fields.filter(({ secret }) => secret).map(({ name }) => name) }
}
