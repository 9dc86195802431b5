import { describeLimit } from './describe-limit.ts'
import type { InputResponse, Phrase, SamplingRequest, UnansweredReason } from '../protocol/index.ts'
import type { Room } from './limit-room.ts'
import { describeFailure, isModelFailure } from './model-failure.ts'
import { nameOf } from './model.ts'
import type { Models } from './models.ts'
import { proposeModel, type ModelProposal, type Proposal } from './propose-model.ts'
import type { Approved } from './review-prompt.ts'

/** A model that was asked and gave no answer, or that a limit kept from being asked. */
export interface FailedTry {
  readonly proposal: ModelProposal
  readonly why: Phrase
  /** How the request ends where nobody can be asked how it goes on. */
  readonly end: InputResponse
}

/** After so many, whoever says yes each time is no person who reads why. */
export const MOST_TRIES = 10

/** @returns what is to be shown to a person, whether they or a rule of theirs had said yes; undefined where the request is over */
export function findFailedTry({ proposal, by }: Approved, end: InputResponse, tries: number): FailedTry | undefined {
  if (by === 'script' || tries >= MOST_TRIES || end.outcome !== 'refused') return undefined
  const { model } = proposal.choice
  const why = isModelFailure(end.error) ? describeFailure(model, end.error) : by === 'person' ? describeLimit(model, end.error) : undefined
  return why && { proposal, why, end }
}

/** Nobody was shown what failed: then the failure is the end, and not that nobody was there. */
export function isUnseen(end: InputResponse): boolean {
  return end.outcome === 'refused' && unseen.has(end.unanswered)
}

const unseen: ReadonlySet<unknown> = new Set<UnansweredReason>(['no-one-to-ask', 'too-many-waiting', 'asked-too-often', 'muted'])

/** The same model once more, as long as it is there and can; else whichever would be proposed now. */
export function proposeAgain(models: Models, asked: SamplingRequest, room: Room, failed: FailedTry | undefined): Proposal {
  const choice = failed?.proposal.choice
  const same = models.list().find((model) => nameOf(model) === choice?.model)
  const again = same && proposeModel(models, asked, { among: [same], room })
  return again?.model && choice ? { ...again, choice } : proposeModel(models, asked, { room })
}
