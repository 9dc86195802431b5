import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsoleDecision, FieldFault } from '../../src/console-api/contract.ts'
import { call, CallFailure } from '../desk/call.ts'
import { useSleep } from '../parts/decision-button.tsx'

/** What one review needs to be decided here. */
export interface Deciding {
  readonly decide: (decision: ConsoleDecision) => void
  /** Half a second after it appeared, and while a decision is on its way, nothing decides. */
  readonly isAsleep: boolean
  readonly isPending: boolean
  /** What was wrong with the last decision. */
  readonly faults: readonly FieldFault[]
  /** The desk could not be asked: nothing was decided. */
  readonly failure: CallFailure | undefined
}

interface Decided {
  readonly decision: ConsoleDecision
  readonly next: string | undefined
  /** The address at which it was decided. */
  readonly place: string
}

/**
 * Decides a review. Somebody else having been faster is no fault: the stream says how it ended.
 *
 * @param nextOf what is shown afterwards; asked before the decision is sent, because the stream may take the review off the list before the answer comes
 */
export function useDecision(id: string, nextOf: (id: string) => string | undefined, onDecided: (next: string | undefined) => void): Deciding {
  const [faults, setFaults] = useState<readonly FieldFault[]>([])
  const isFresh = useSleep(id)
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ decision }: Decided) => call('review/decide', { id, decision }),
    onSuccess: (answer, { next, place }) => {
      // Whoever has gone elsewhere meanwhile is not fetched back.
      if (answer.status === 'decided' && location.hash === place) onDecided(next)
      setFaults(answer.status === 'faulty' ? answer.faults : [])
    },
  })
  return {
    decide: (decision) => mutate({ decision, next: nextOf(id), place: location.hash }),
    isAsleep: isFresh || isPending,
    isPending,
    faults,
    failure: error instanceof CallFailure ? error : undefined,
  }
}
