import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { FieldFault, ReviewDetail } from '../../../src/console-api/contract.ts'
import { call } from '../../desk/call.ts'
import { useDraft } from '../use-draft.ts'
import { answersFrom, contentOf, draftOf, withAnswer, type Answers } from './answers.ts'

const PAUSE_MS = 200

export interface FormState {
  readonly answers: Answers
  readonly set: (name: string, value: unknown) => void
  /** The field was left: from now on its fault is shown. */
  readonly leave: (name: string) => void
  readonly faultOf: (name: string) => FieldFault | undefined
  readonly isReady: boolean
}

type FormReview = Extract<ReviewDetail, { readonly kind: 'form' }>

/** A form as it is filled in: the desk checks it, patterns included, exactly as it will when it is sent. */
export function useForm(review: FormReview, refused: readonly FieldFault[]): FormState {
  const { form } = review.subject
  const [draft, setDraft] = useDraft(review)
  const [own, setOwn] = useState<Answers>(new Map())
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const answers = answersFrom(draft, own, form)
  const content = JSON.stringify(contentOf(answers))
  const [settled] = useDebouncedValue(content, PAUSE_MS)
  const check = useQuery({
    queryKey: ['check', review.id, settled],
    queryFn: ({ signal }) => call('review/check', { id: review.id, content: JSON.parse(settled) as Record<string, unknown> }, { signal }),
    enabled: !review.ended,
    gcTime: 0,
    placeholderData: (before) => before,
  })
  // The refusal of a decision stands until the desk has looked at what was changed since.
  const sent = useRef<{ readonly refused: readonly FieldFault[]; readonly content: string }>({ refused: [], content })
  if (sent.current.refused !== refused) sent.current = { refused, content }
  const isRefused = refused.length > 0 && sent.current.content === content
  const faults = isRefused ? refused : check.data?.status === 'faulty' ? check.data.faults : []
  return {
    answers,
    set: (name, value) => {
      const next = withAnswer(answers, name, value)
      setOwn(next)
      setDraft(draftOf(next, form))
    },
    leave: (name) => setLeft((before) => (before.has(name) ? before : new Set(before).add(name))),
    faultOf: (name) => (refused.length > 0 || left.has(name) ? faults.find(({ field }) => field === name) : undefined),
    isReady: check.data?.status === 'fits' && settled === content && !check.isPlaceholderData,
  }
}
