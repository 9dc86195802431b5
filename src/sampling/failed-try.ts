import type { InputResponse, Phrase, SamplingRequest } from '../protocol/index.ts'
import type { Room } from './limit-room.ts'
import { describeFailure, isModelFailure } from './model-failure.ts'
import { nameOf } from './model.ts'
import type { Models } from './models.ts'
import { proposeModel, type ModelProposal, type Proposal } from './propose-model.ts'
import type { Approved } from './review-prompt.ts'

/** A model that somebody said yes to, and that gave no answer. */
export interface FailedTry {
  readonly proposal: ModelProposal
  readonly why: Phrase
}

/** After so many, whoever says yes each time is no person who reads why. */
export const MOST_TRIES = 10

/** @returns what is to be shown to the person who had said yes; undefined where the request is over */
export function findFailedTry({ proposal, by }: Approved, end: InputResponse, tries: number): FailedTry | undefined {
  if (by !== 'person' || tries >= MOST_TRIES || end.outcome !== 'refused' || !isModelFailure(end.error)) return undefined
  return { proposal, why: describeFailure(proposal.choice.model, end.error) }
}

/** The same model once more, as long as it is there and can; else whichever would be proposed now. */
export function proposeAgain(models: Models, asked: SamplingRequest, room: Room, failed: FailedTry | undefined): Proposal {
  const choice = failed?.proposal.choice
  const same = models.list().find((model) => nameOf(model) === choice?.model)
  const again = same && proposeModel(models, asked, { among: [same], room })
  return again?.model && choice ? { ...again, choice } : proposeModel(models, asked, { room })
}
