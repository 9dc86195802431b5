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

/**
 * Decides a review. Somebody else having been faster is no fault: the stream says how it ended.
 *
 * @param nextOf what is shown afterwards; asked before the decision is sent, because the stream may take the review off the list before the answer comes
 */
export function useDecision(id: string, nextOf: (id: string) => string | undefined, onDecided: (next: string | undefined) => void): Deciding {
  const [faults, setFaults] = useState<readonly FieldFault[]>([])
  const isFresh = useSleep(id)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (decision: ConsoleDecision) => call('review/decide', { id, decision }),
    onSuccess: (answer) => setFaults(answer.status === 'faulty' ? answer.faults : []),
  })
  return {
    decide: (decision) => {
      const next = nextOf(id)
      // Said to this call, not to every one: whoever has gone elsewhere meanwhile is not fetched back.
      mutate(decision, { onSuccess: ({ status }) => void (status === 'decided' && onDecided(next)) })
    },
    isAsleep: isFresh || isPending,
    isPending,
    faults,
    failure: error instanceof CallFailure ? error : undefined,
  }
}
