import { ConsentryError } from '../errors.ts'
import type { Policy } from '../policy/index.ts'
import type { Answered, Decision, InputRequest, InputResponse, Json, Origin, Reviewer, Settlement } from '../protocol/index.ts'
import { findGrantFaults, readGrant } from './folder-grant.ts'
import { FolderReview } from './folder-review.ts'
import type { Proposal } from './root-entry.ts'
import type { RootSurvey } from './root-survey.ts'
import type { ServerRoots } from './server-roots.ts'

export interface RootsNeeds {
  readonly roots: ServerRoots
  readonly policy: Pick<Policy, 'decide'>
  readonly reviewer: Reviewer
  /** Whether the server reaches nothing but its folders. Default: it does. */
  readonly isHeld?: boolean | undefined
  /** A script is asked about every list; a person only where something is undecided. Default: a person. */
  readonly reviewedBy?: 'person' | 'script' | undefined
  /** What a person is offered where nothing was consented to yet; they may also name other folders. */
  readonly propose?: (() => readonly Proposal[] | Promise<readonly Proposal[]>) | undefined
}

/**
 * Answers one `roots/list` request. Never rejects.
 *
 * Told are only folders that the user consented to, in the config, on the command line or in a review, and that are there and
 * readable now. A no, a cancelled review and a missing person all mean that nothing more is told: less is told, and nothing fails.
 *
 * In the legacy era a request waits for a person at most a while, and then gets what is decided already: the server hears that its list has changed
 * when the person decides. In the modern era the retry carries the decision.
 *
 * @see MCP 2025-11-25 client/roots, "Listing Roots", "Security Considerations"
 */
export async function listRoots(request: InputRequest, origin: Origin, needs: RootsNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    checkParams(request.params)
    const { policy, roots, reviewedBy = 'person' } = needs
    const ruling = policy.decide({ kind: 'roots', origin })
    if (ruling.outcome === 'deny') return tell(nothing, { by: 'rule', facts: { rule: ruling.rule } })
    if (reviewedBy === 'script') return await askScript(origin, needs, signal)

    await roots.recall()
    const proposals = ruling.outcome === 'ask' ? await findProposals(origin, needs) : undefined
    if (proposals) return await askPerson(proposals, origin, needs, signal)
    const told = await roots.tell({ origin, reviewer: needs.reviewer })
    if (roots.isRefused) return tell(told, { by: roots.size > 0 ? 'rule' : 'person' })
    const by = told.roots.length > 0 || roots.size > 0 || ruling.outcome === 'allow' ? 'rule' : 'none'
    return tell(told, { by, ...(ruling.outcome === 'allow' && { facts: { rule: ruling.rule } }) })
  } catch (cause) {
    return refuse(cause)
  }
}

/** What a person has to be asked about; undefined where everything is decided, or nobody is there. */
async function findProposals({ server }: Origin, { roots, reviewer, propose = () => [] }: RootsNeeds): Promise<readonly Proposal[] | undefined> {
  if (roots.view.isBlind || !reviewer.canReview('folders', server)) return undefined
  if (roots.isRefused) return undefined
  const doubts = await roots.findDoubts()
  if (roots.size > 0 || (await roots.list()).length > 0) return doubts.length > 0 ? doubts : undefined
  if (roots.wasTold && doubts.length === 0) return undefined
  return [...doubts, ...(await propose())]
}

async function askPerson(proposals: readonly Proposal[], origin: Origin, { roots, reviewer, isHeld }: RootsNeeds, signal: AbortSignal): Promise<InputResponse> {
  const review = (ends: AbortSignal): Promise<Settlement<'folders'>> => new FolderReview(roots, isHeld).ask(proposals, origin, reviewer, ends)
  const outcome = await roots.consent.ask(review, { signal, hearsLater: origin.era === 'legacy' })
  if (outcome.outcome === 'withdrawn') return outcome
  const told = await roots.tell({ origin, reviewer })
  return outcome.outcome === 'later' ? tell(told, { by: roots.size > 0 ? 'rule' : 'none', facts: { waitsFor: 'person' } }) : endedAs(outcome, told)
}

/** What a script does not answer gets what was configured. */
async function askScript(origin: Origin, { roots, reviewer }: RootsNeeds, signal: AbortSignal): Promise<InputResponse> {
  const proposed = await roots.states()
  const configured = new Set(proposed.map(({ path }) => path))
  const check = (decision: Decision<'folders'>): ReturnType<typeof findGrantFaults> => findGrantFaults(decision, roots, configured)
  const settlement = await reviewer.review({ kind: 'folders', origin, subject: { proposed }, draft: undefined, check }, signal)
  if (settlement.outcome === 'nobody') return tell(await roots.tell({ origin, reviewer }), { by: roots.size > 0 ? 'rule' : 'none' })
  const granted = settlement.outcome === 'decided' ? (readGrant(settlement.decision) ?? []) : []
  return endedAs(settlement, granted.length > 0 ? await roots.survey(granted) : nothing)
}

/** What is told after a review, whatever became of it. */
function endedAs(settlement: Settlement<'folders'>, told: Told): InputResponse {
  switch (settlement.outcome) {
    case 'decided':
      return tell(told, { by: settlement.by, ...(settlement.decision.action !== 'grant' && { facts: { decision: settlement.decision.action } }) })
    case 'unfit':
      return tell(told, {
        by: 'none',
        unanswered: 'answer-does-not-fit',
        facts: { faults: settlement.faults.map(({ field, message }) => ({ field, message })) },
      })
    case 'nobody':
      return tell(told, { by: 'none' })
    case 'timed-out':
    case 'desk-closed':
    case 'too-many-waiting':
    case 'asked-too-often':
    case 'muted':
      return tell(told, { by: 'none', unanswered: settlement.outcome })
    case 'withdrawn':
      return settlement
    default:
      return settlement satisfies never
  }
}

function tell({ roots, terms }: Told, { by, unanswered, facts = {} }: Pick<Answered, 'by' | 'unanswered' | 'facts'>): Answered {
  const list: Json = roots.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name }))
  return { outcome: 'answered', result: { roots: list }, by, unanswered, terms, facts: { ...facts, roots: roots.map(({ uri }) => uri) } }
}

type Told = Pick<RootSurvey, 'roots' | 'terms'>

const nothing: Told = { roots: [], terms: [] }

/** Parameters may be absent, `null` as some servers write it, or an object, whose members mean nothing to us. */
function checkParams(params: unknown): void {
  if (params === undefined || (typeof params === 'object' && !Array.isArray(params))) return
  throw new ConsentryError('PROTOCOL_VIOLATION', 'The "params" of roots/list must be an object, or left out.')
}

function refuse(cause: unknown): InputResponse {
  const error = cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The folders could not be listed: an error of ours.', { cause })
  return { outcome: 'refused', by: 'none', error }
}
