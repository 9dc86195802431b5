import { ConsentryError } from '../errors.ts'
import type {
  Completion,
  DecidedBy,
  Decision,
  FieldFault,
  InputResponse,
  Origin,
  PromptSubject,
  Reviewer,
  ReviewRequest,
  SamplingRemembrance,
  SamplingRequest,
} from '../protocol/index.ts'
import { checkEditedRequest } from './check-edited-request.ts'
import { findFaults } from './find-faults.ts'
import type { Room } from './limit-room.ts'
import { nameOf } from './model.ts'
import type { Models } from './models.ts'
import { parseCompletion } from './parse-completion.ts'
import { phrase } from './phrases.ts'
import { proposeModel, type ModelProposal, type Proposal } from './propose-model.ts'
import { invalid } from './read-fields.ts'
import { readRemembrance } from './read-remembrance.ts'
import { closed, denied, undecided } from './refusals.ts'
import { isSameJson } from './same-json.ts'

/** A request with a model that will answer it, and who said so. */
export interface Approved {
  readonly outcome: 'approved'
  readonly proposal: ModelProposal
  readonly by: DecidedBy
  readonly promptEdited: boolean
  /** That later requests are to be treated alike. */
  readonly remember?: SamplingRemembrance | undefined
}

/** What a rule of the user, or what a person had remembered, approves is asked as it is proposed. */
export function approvedUnseen(proposal: ModelProposal): Approved {
  return { outcome: 'approved', proposal, by: 'rule', promptEdited: false }
}

export type PromptOutcome =
  | Approved
  /** Somebody wrote the answer in a model's place. */
  | { readonly outcome: 'written'; readonly completion: Completion; readonly by: 'person' | 'script' }
  | { readonly outcome: 'ended'; readonly response: InputResponse; readonly remember?: SamplingRemembrance | undefined }

/** What is shown beside the request itself. */
export type PromptSurroundings = Pick<PromptSubject, 'models' | 'limits' | 'notes' | 'redaction' | 'toolRounds' | 'because' | 'failed'>

/** What a person sees: who would answer, and what is around it. */
export interface ShownPrompt {
  readonly proposal: Proposal
  readonly surroundings?: PromptSurroundings | undefined
}

/**
 * Shows a request, with the model that would answer it, before anything is spent. Where the user's models change meanwhile, so does what is shown.
 *
 * @param look what is to be shown now
 */
export async function reviewPrompt(
  look: () => ShownPrompt,
  origin: Origin,
  { reviewer, models, room, edited }: PromptNeeds,
  signal: AbortSignal,
): Promise<PromptOutcome> {
  const opened = look()
  const { request, choice } = opened.proposal
  let shown = opened
  let stopFollowing = (): void => undefined
  const onOpen: ReviewRequest<'prompt'>['onOpen'] = (draft, change) => {
    const follow = (): void => {
      const { written, ...edited } = draft.value
      const isUntouched = isSameJson(edited, shown.proposal.request)
      shown = look()
      change(subjectOf(shown))
      const { request: next } = shown.proposal
      if (isUntouched) draft.update(written === undefined ? next : { ...next, written })
    }
    stopFollowing = models.onChanged?.(follow) ?? stopFollowing
  }
  // Who says yes without a name means the model that was there when the review was opened.
  const read = (decision: Decision<'prompt'>): ReadDecision => readDecision(decision, shown.proposal, choice.model, origin, { models, room, edited })
  const check = (decision: Decision<'prompt'>): Promise<readonly FieldFault[]> => Promise.resolve(findFaults(() => read(decision)))
  const settlement = await reviewer.review({ kind: 'prompt', origin, subject: subjectOf(opened), draft: edited ?? request, onOpen, check }, signal)
  stopFollowing()
  if (settlement.outcome !== 'decided') return { outcome: 'ended', response: undecided(settlement) }

  const faults = await check(settlement.decision)
  if (faults.length > 0) return { outcome: 'ended', response: undecided({ outcome: 'unfit', faults }) }
  const { by } = settlement
  const decision = read(settlement.decision)
  switch (decision.action) {
    case 'approve':
      return { outcome: 'approved', proposal: decision.proposal, by, promptEdited: decision.edited, remember: decision.remember }
    case 'write':
      return { outcome: 'written', completion: signed(decision.completion, by), by }
    case 'deny':
      return { outcome: 'ended', response: denied(by, { review: 'prompt' }), remember: decision.remember }
    case 'cancel':
      return { outcome: 'ended', response: closed(by, 'prompt') }
    default:
      return decision satisfies never
  }
}

export interface PromptNeeds {
  readonly reviewer: Reviewer
  readonly models: Models
  readonly room?: Room | undefined
  /** What a person had made of the request before they are asked again. Default: it is shown as it would be asked. */
  readonly edited?: SamplingRequest | undefined
}

function subjectOf({ proposal: { request, choice, estimate }, surroundings }: ShownPrompt): PromptSubject {
  return { request, choice, ...(estimate && { estimate }), ...surroundings }
}

type ReadDecision =
  | { readonly action: 'approve'; readonly proposal: ModelProposal; readonly edited: boolean; readonly remember: SamplingRemembrance | undefined }
  | { readonly action: 'write'; readonly completion: Completion }
  | { readonly action: 'deny'; readonly remember: SamplingRemembrance | undefined }
  | { readonly action: 'cancel' }

/** A decision as it can be carried out, or a fault. */
function readDecision(
  decision: Decision<'prompt'>,
  shown: Proposal,
  usual: string,
  { revision }: Origin,
  needs: Pick<PromptNeeds, 'models' | 'room' | 'edited'>,
): ReadDecision {
  if (decision.action === 'write') return { action: 'write', completion: parseCompletion(decision.completion, { request: shown.request, revision }) }
  if (decision.action === 'cancel') return { action: 'cancel' }
  const remember = readRemembrance(decision.remember)
  if (decision.action === 'deny') return { action: 'deny', remember }
  const given = decision.request ?? needs.edited
  const request = given === undefined ? shown.request : checkEditedRequest(given, shown.request, revision)
  const edited = !isSameJson(request, shown.request)
  const model = decision.model ?? usual
  if (!edited && model === shown.choice.model && shown.model) return { action: 'approve', proposal: shown, edited, remember }
  return { action: 'approve', proposal: proposeNamed(model, request, shown, needs), edited, remember }
}

/** The model that was named, if it can: what was shown is not changed behind anybody's back. */
function proposeNamed(name: string, request: SamplingRequest, shown: Proposal, { models, room }: Pick<PromptNeeds, 'models' | 'room'>): ModelProposal {
  if (name === 'person') throw invalid('model', `must be one of your models, or the answer must be written by hand: ${shown.choice.why}`)
  const model = models.list().find((one) => nameOf(one) === name)
  if (model === undefined) throw new ConsentryError('MODEL_UNKNOWN', 'This model is not one of those that are configured', { data: { path: 'model' } })
  const proposal = proposeModel(models, request, { among: [model], room })
  if (proposal.model === undefined) throw invalid('model', `cannot answer this request: ${proposal.choice.why}`)
  if (name === shown.choice.model) return { ...proposal, choice: shown.choice }
  const named = phrase('named-in-review', 'named in the review')
  return { ...proposal, choice: { model: name, why: `${name}; ${named.sentence}`, reasons: [named] } }
}

/** Whoever writes an answer ends it; a person's goes out under no other name. */
function signed(completion: Completion, by: 'person' | 'script'): Completion {
  const stopReason = completion.stopReason ?? (completion.content.some(({ type }) => type === 'tool_use') ? 'toolUse' : 'endTurn')
  return { ...completion, stopReason, ...(by === 'person' && { model: 'person' }) }
}
