import { ConsentryError } from '../errors.ts'
import type { Policy } from '../policy/index.ts'
import type { Answered, Decision, InputRequest, InputResponse, Json, Origin, Reviewer, Root, Settlement } from '../protocol/index.ts'
import { findGrantFaults, readGrant } from './folder-grant.ts'
import type { RootEntry } from './root-entry.ts'
import type { ServerRoots } from './server-roots.ts'

export interface RootsNeeds {
  readonly roots: Pick<ServerRoots, 'size' | 'list' | 'states' | 'survey'>
  readonly policy: Pick<Policy, 'decide'>
  readonly reviewer: Reviewer
  /** A script is asked about every list; a person only where nothing was consented to yet. Default: a person. */
  readonly reviewedBy?: 'person' | 'script' | undefined
  /** What a person may be asked to consent to. None: nobody is asked. */
  readonly proposals?: readonly RootEntry[] | undefined
  /** Keeps a person's consent for the next time. */
  readonly remember?: ((entries: readonly RootEntry[]) => Promise<void>) | undefined
}

/**
 * Answers one `roots/list` request. Never rejects.
 *
 * Told are only folders that the user consented to, in the config, on the command line or in a review, and that are there and
 * readable now. A no, a cancelled review and a missing person all mean an empty list: less is told, and nothing fails.
 *
 * @see MCP 2025-11-25 client/roots, "Listing Roots", "Security Considerations"
 */
export async function listRoots(request: InputRequest, origin: Origin, needs: RootsNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    checkParams(request.params)
    const { policy, roots, reviewer, proposals = [], reviewedBy = 'person' } = needs
    const ruling = policy.decide({ kind: 'roots', origin })
    if (ruling.outcome === 'deny') return tell([], { by: 'rule', facts: { rule: ruling.rule } })

    if (reviewedBy === 'script') return await askScript(origin, needs, signal)
    if (roots.size > 0) return tell(await roots.list(), { by: 'rule' })
    if (ruling.outcome === 'allow') return tell([], { by: 'rule', facts: { rule: ruling.rule } })
    if (proposals.length === 0 || !reviewer.canReview('folders')) return tell([], { by: 'none' })
    return await askPerson(proposals, origin, needs, signal)
  } catch (cause) {
    return refuse(cause)
  }
}

async function askPerson(
  proposals: readonly RootEntry[],
  origin: Origin,
  { roots, reviewer, remember }: RootsNeeds,
  signal: AbortSignal,
): Promise<InputResponse> {
  const { states } = await roots.survey(proposals)
  const proposed = states.filter(({ status }) => status === 'ok')
  if (proposed.length === 0) return tell([], { by: 'none' })
  const check = (decision: Decision<'folders'>): ReturnType<typeof findGrantFaults> => findGrantFaults(decision, roots)
  const settlement = await reviewer.review({ kind: 'folders', origin, subject: { proposed }, draft: undefined, check }, signal)
  if (settlement.outcome !== 'decided' || settlement.decision.action !== 'grant') return tellNothing(settlement)

  const entries = readGrant(settlement.decision)
  const told = (await roots.survey(entries)).roots
  await remember?.(entries)
  return tell(told, { by: settlement.by })
}

/** What a script does not answer gets what was configured. */
async function askScript(origin: Origin, { roots, reviewer }: RootsNeeds, signal: AbortSignal): Promise<InputResponse> {
  const proposed = await roots.states()
  const configured = new Set(proposed.map(({ path }) => path))
  const check = (decision: Decision<'folders'>): ReturnType<typeof findGrantFaults> => findGrantFaults(decision, roots, configured)
  const settlement = await reviewer.review({ kind: 'folders', origin, subject: { proposed }, draft: undefined, check }, signal)
  if (settlement.outcome === 'nobody') return tell(await roots.list(), { by: roots.size > 0 ? 'rule' : 'none' })
  if (settlement.outcome !== 'decided' || settlement.decision.action !== 'grant') return tellNothing(settlement)
  return tell((await roots.survey(readGrant(settlement.decision))).roots, { by: settlement.by })
}

/** Whoever did not grant anything, for whatever reason: the list is empty. */
function tellNothing(settlement: Settlement<'folders'>): InputResponse {
  switch (settlement.outcome) {
    case 'decided':
      return tell([], { by: settlement.by, facts: { decision: settlement.decision.action } })
    case 'unfit':
      return tell([], { by: 'none', unanswered: 'answer-does-not-fit', facts: { faults: settlement.faults.map(({ field, message }) => ({ field, message })) } })
    case 'nobody':
      return tell([], { by: 'none' })
    case 'timed-out':
    case 'desk-closed':
    case 'too-many-waiting':
      return tell([], { by: 'none', unanswered: settlement.outcome })
    case 'withdrawn':
      return settlement
    default:
      return settlement satisfies never
  }
}

function tell(roots: readonly Root[], { by, unanswered, facts = {} }: Pick<Answered, 'by' | 'unanswered' | 'facts'>): Answered {
  const list: Json = roots.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name }))
  return { outcome: 'answered', result: { roots: list }, by, unanswered, facts: { ...facts, roots: roots.map(({ uri }) => uri) } }
}

/** Parameters may be absent, `null` as some servers write it, or an object, whose members mean nothing to us. */
function checkParams(params: unknown): void {
  if (params === undefined || (typeof params === 'object' && !Array.isArray(params))) return
  throw new ConsentryError('PROTOCOL_VIOLATION', 'The "params" of roots/list must be an object, or left out.')
}

function refuse(cause: unknown): InputResponse {
  const error = cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The folders could not be listed: an error of ours.', { cause })
  return { outcome: 'refused', by: 'none', error }
}
