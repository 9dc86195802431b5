import type { ContentBlock, JsonObject, ModelChoice, SamplingRequest } from '../protocol/index.ts'
import { chooseModel, type ModelNeed, type NoModelReason } from './choose-model.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { nameOf, type Model } from './model.ts'
import type { Models } from './models.ts'

interface ProposedRequest {
  /** With `maxTokens` as they will be asked for: never more than the server allows. */
  readonly request: SamplingRequest
  readonly choice: ModelChoice
  readonly inputTokens: number
}

/** A request as it would be put to a model. */
export interface ModelProposal extends ProposedRequest {
  readonly model: Model
}

/** Who would answer, and the request as it would be put to them; without a model, only a person can. */
export type Proposal = ModelProposal | (ProposedRequest & { readonly model?: undefined })

/** What `maxTokens: 0` means, and the most that is ever asked for. */
const USUAL_TOKENS = 4096
const MOST_TOKENS = 32_768

const nobody: Readonly<Record<NoModelReason, string>> = {
  'no-models': 'no model is configured',
  image: 'no configured model takes images',
  audio: 'no configured model takes audio',
  tools: 'no configured model uses tools',
  context: 'the request is too long for every configured model',
}

/** Finds the model for a request among the user's; where none can, a person is left to write the answer. */
export function proposeModel(models: Models, asked: SamplingRequest, among: readonly Model[] = models.list()): Proposal {
  const inputTokens = estimateTokens(asked)
  const wanted = Math.min(asked.maxTokens === 0 ? USUAL_TOKENS : asked.maxTokens, MOST_TOKENS)
  const chosen = chooseModel(among, asked.modelPreferences ?? {}, { needs: needsOf(asked), inputTokens, maxTokens: wanted })
  if ('none' in chosen) return { request: { ...asked, maxTokens: wanted }, choice: { model: 'person', why: nobody[chosen.none] }, inputTokens }

  const name = nameOf(chosen.model)
  const request = { ...asked, maxTokens: chosen.maxTokens }
  const notes = [chosen.why]
  if (wanted < asked.maxTokens && !chosen.steps.clamped) notes.push(`answer cut to ${wanted} tokens`)
  const leftOut = models.leavesOut(name, request)
  if (leftOut.length > 0) notes.push(`leaves out ${leftOut.join(', ')}`)
  return { request, choice: { model: name, why: notes.join('; ') }, model: chosen.model, inputTokens }
}

function needsOf({ messages, tools = [] }: SamplingRequest): readonly ModelNeed[] {
  const kinds = new Set(messages.flatMap(({ content }) => content.flatMap(kindsOf)))
  const needs: ModelNeed[] = []
  if (kinds.has('image')) needs.push('image')
  if (kinds.has('audio')) needs.push('audio')
  if (tools.length > 0 || kinds.has('tool_use')) needs.push('tools')
  return needs
}

function kindsOf(block: ContentBlock): readonly unknown[] {
  return block.type === 'tool_result' ? block.content.map(({ type }: JsonObject) => type) : [block.type]
}
