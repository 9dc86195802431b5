import type { ContentBlock, JsonObject, ModelChoice, ModelOption, ModelPreferences, Phrase, SamplingRequest, SpendingEstimate } from '../protocol/index.ts'
import { chooseModel, type ChosenModel, type ModelNeed, type ModelNeeds, type NoModelReason } from './choose-model.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { endlessRoom, type Room } from './limit-room.ts'
import { nameOf, priceOf, type Model } from './model.ts'
import type { Models } from './models.ts'
import { phrase } from './phrases.ts'
import { present } from './read-fields.ts'

interface ProposedRequest {
  /** With `maxTokens` as they will be asked for: never more than the server allows. */
  readonly request: SamplingRequest
  readonly choice: ModelChoice
  readonly inputTokens: number
  /** What a person should know before: what is cut, or not given. */
  readonly notes: readonly Phrase[]
}

/** A request as it would be put to a model. */
export interface ModelProposal extends ProposedRequest {
  readonly model: Model
  readonly estimate: SpendingEstimate
}

/** Who would answer, and the request as it would be put to them; without a model, only a person can. */
export type Proposal = ModelProposal | (ProposedRequest & { readonly model?: undefined; readonly estimate?: undefined })

export interface ProposeOptions {
  /** Default: all that the user has. */
  readonly among?: readonly Model[] | undefined
  /** Where an answer would not fit, it is cut. Default: no end. */
  readonly room?: Room | undefined
}

/** What `maxTokens: 0` means, and the most that is ever asked for. */
const USUAL_TOKENS = 4096
const MOST_TOKENS = 32_768
/** An answer is not cut shorter than this to fit into a budget: then the budget is the question. */
const LEAST_TOKENS = 256

type NobodyReason = NoModelReason | 'price'

const nobody: Readonly<Record<NobodyReason, Phrase>> = {
  'no-models': phrase('no-model', 'no model is configured'),
  image: phrase('no-model-image', 'no configured model takes images'),
  audio: phrase('no-model-audio', 'no configured model takes audio'),
  tools: phrase('no-model-tools', 'no configured model uses tools'),
  context: phrase('no-model-context', 'the request is too long for every configured model'),
  price: phrase('no-model-price', 'no configured model that can has a known price, and a limit of cost holds'),
}

/** Why one model cannot. */
const unable: Readonly<Record<NobodyReason, Phrase>> = {
  'no-models': phrase('no-model', 'no model is configured'),
  image: phrase('model-without-image', 'it takes no images'),
  audio: phrase('model-without-audio', 'it takes no audio'),
  tools: phrase('model-without-tools', 'it uses no tools'),
  context: phrase('model-without-room', 'the request is too long for it'),
  price: phrase('model-without-price', 'its price is not known, and a limit of cost holds'),
}

/** Finds the model for a request among the user's; where none can, a person is left to write the answer. */
export function proposeModel(models: Models, asked: SamplingRequest, { among = models.list(), room = endlessRoom }: ProposeOptions = {}): Proposal {
  const inputTokens = estimateTokens(asked)
  const wanted = wantedTokens(asked)
  const chosen = chooseWithin(room, among, asked.modelPreferences ?? {}, { needs: needsOf(asked), inputTokens, maxTokens: wanted })
  if ('none' in chosen) {
    const reason = among === models.list() || among.length !== 1 ? nobody[chosen.none] : unable[chosen.none]
    return { request: { ...asked, maxTokens: wanted }, choice: { model: 'person', why: reason.sentence, reasons: [reason] }, inputTokens, notes: [] }
  }
  const { model, maxTokens, steps, why, reasons } = chosen
  const name = nameOf(model)
  const fitting = fitIntoRoom(maxTokens, room.tokens - inputTokens)
  const request = { ...asked, maxTokens: fitting }
  const notes: Phrase[] = []
  if (fitting < maxTokens) notes.push(phrase('answer-cut-to-budget', `answer cut to ${fitting} tokens: the budget has no more`, { tokens: fitting }))
  else if (wanted < asked.maxTokens && !steps.clamped) notes.push(phrase('answer-cut', `answer cut to ${wanted} tokens`, { tokens: wanted }))
  notes.push(...models.leavesOut(name, request))
  return {
    request,
    choice: { model: name, why: [why, ...describeNotes(notes)].join('; '), reasons },
    model,
    inputTokens,
    estimate: estimateFor(model, inputTokens, fitting),
    notes,
  }
}

/** All of the user's models, each with what it would take or why it cannot. */
export function listOptions(models: Models, asked: SamplingRequest, room: Room): readonly ModelOption[] {
  const needs: ModelNeeds = { needs: needsOf(asked), inputTokens: estimateTokens(asked), maxTokens: wantedTokens(asked) }
  return models.list().map((model) => {
    const name = nameOf(model)
    const chosen = chooseWithin(room, [model], {}, needs)
    if ('none' in chosen) return { model: name, estimate: estimateFor(model, needs.inputTokens, needs.maxTokens), notes: [], cannot: unable[chosen.none] }
    return { model: name, estimate: estimateFor(model, needs.inputTokens, chosen.maxTokens), notes: models.leavesOut(name, asked) }
  })
}

/** A price that is not known is not 0: where cost is limited, such a model is not asked, and that is said. */
function chooseWithin(
  { isPriced }: Room,
  among: readonly Model[],
  preferences: ModelPreferences,
  needs: ModelNeeds,
): ChosenModel | { readonly none: NobodyReason } {
  const any = chooseModel(among, preferences, needs)
  if (!isPriced || 'none' in any) return any
  const priced = among.filter((model) => priceOf(model, 1, 1) !== undefined)
  const chosen = chooseModel(priced, preferences, needs)
  return 'none' in chosen ? { none: 'price' } : chosen
}

function wantedTokens({ maxTokens }: SamplingRequest): number {
  return Math.min(maxTokens === 0 ? USUAL_TOKENS : maxTokens, MOST_TOKENS)
}

function fitIntoRoom(maxTokens: number, left: number): number {
  return left < maxTokens && left >= LEAST_TOKENS ? Math.floor(left) : maxTokens
}

/** The cut first, then everything that is left out in one. */
function describeNotes(notes: readonly Phrase[]): readonly string[] {
  const cuts = notes.filter(({ key }) => key.startsWith('answer-cut')).map(({ sentence }) => sentence)
  const leftOut = notes.filter(({ key }) => !key.startsWith('answer-cut')).map(({ sentence }) => sentence)
  return leftOut.length > 0 ? [...cuts, `leaves out ${leftOut.join(', ')}`] : cuts
}

function estimateFor(model: Model, inputTokens: number, outputTokens: number): SpendingEstimate {
  const cost = priceOf(model, inputTokens, outputTokens)
  return present({ inputTokens, outputTokens, cost, priceAsOf: cost === undefined ? undefined : model.priceAsOf })
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
