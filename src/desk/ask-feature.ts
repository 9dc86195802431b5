import type { PatternMatcher } from '../elicitation/index.ts'
import { ConsentryError } from '../errors.ts'
import type { Policy } from '../policy/index.ts'
import type { AnswerCapabilities, InputRequest, InputResponse, Origin, Reviewer } from '../protocol/index.ts'
import { isTooDeep, mostLevels } from '../protocol/json.ts'
import type { Proposal, ServerRoots } from '../roots/index.ts'
import type { Models } from '../sampling/index.ts'
import type { SamplingMemory } from '../sampling/sampling-memory.ts'

/** What the features answer with. */
export interface FeatureNeeds {
  readonly policy: Policy
  readonly reviewer: Reviewer
  /** A script is always asked for folders; a person only where something is undecided. */
  readonly reviewedBy: 'person' | 'script'
  readonly roots: ServerRoots
  /** Whether a server that was started here is held to its folders. Default: it is not. */
  readonly isHeld?: (() => boolean) | undefined
  readonly proposeRoots?: (() => readonly Proposal[] | Promise<readonly Proposal[]>) | undefined
  readonly models: Models
  /** What people had remembered about model requests, and which budgets they are asked about: one for all connections. Default: nothing is remembered. */
  readonly samplingMemory?: SamplingMemory | undefined
  readonly matchPattern: PatternMatcher
}

/** Promises are kept by whoever made them, to the server that got them: here everything is heard, and what nobody can answer ends so. */
const everything: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }

/**
 * Has a question answered by the feature that it belongs to, which is loaded with its first question: most runs ask for one of them, or none.
 *
 * @throws ConsentryError `PROTOCOL_VIOLATION` for what is nested so deep that nobody could be shown it, and whatever the feature refuses it with
 */
export async function askFeature(request: InputRequest, origin: Origin, needs: FeatureNeeds, signal: AbortSignal): Promise<InputResponse> {
  const { policy, reviewer, models, matchPattern, roots, proposeRoots, reviewedBy, isHeld, samplingMemory } = needs
  const { params } = request
  if (typeof params === 'object' && params !== null && isTooDeep(params)) {
    throw new ConsentryError('PROTOCOL_VIOLATION', `The question is nested deeper than ${mostLevels} levels: nobody could be shown it`)
  }
  switch (request.kind) {
    case 'elicitation': {
      const { elicit } = await import('../elicitation/index.ts')
      return elicit(request, origin, { policy, reviewer, matchPattern }, signal)
    }
    case 'sampling': {
      const { sample } = await import('../sampling/index.ts')
      return sample(request, origin, { policy, reviewer, capabilities: everything, models, memory: samplingMemory }, signal)
    }
    case 'roots': {
      const { listRoots } = await import('../roots/index.ts')
      return listRoots(request, origin, { policy, reviewer, roots, isHeld: origin.saysHeld ?? isHeld?.(), propose: proposeRoots, reviewedBy }, signal)
    }
    default:
      return request.kind satisfies never
  }
}
