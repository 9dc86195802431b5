import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { FieldFault, ReviewDetail } from '../../../src/console-api/contract.ts'
import { call } from '../../desk/call.ts'
import { useDraft } from '../use-draft.ts'
import { answersFrom, contentOf, draftOf, withAnswer, type Answers } from './answers.ts'

const PAUSE_MS = 200
/** A click lasts no longer. */
const CLICK_MS = 200

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
    queryFn: async ({ signal }) => {
      const checked = JSON.parse(settled) as Readonly<Record<string, unknown>>
      return { checked, answer: await call('review/check', { id: review.id, content: checked }, { signal }) }
    },
    enabled: !review.ended,
    gcTime: 0,
    placeholderData: (before) => before,
  })
  // The refusal of a decision stands until the desk has looked at what was changed since.
  const sent = useRef<{ readonly refused: readonly FieldFault[]; readonly content: string }>({ refused: [], content })
  if (sent.current.refused !== refused) sent.current = { refused, content }
  const isRefused = refused.length > 0 && sent.current.content === content
  const { checked = {}, answer } = check.data ?? {}
  const faults = isRefused ? refused : answer?.status === 'faulty' ? answer.faults : []
  // What was said of another value is not said of this one.
  const isOfNow = (name: string): boolean =>
    isRefused || JSON.stringify(Object.hasOwn(checked, name) ? checked[name] : undefined) === JSON.stringify(answers.get(name))
  return {
    answers,
    set: (name, value) => {
      const next = withAnswer(answers, name, value)
      setOwn(next)
      setDraft(draftOf(next, form))
    },
    // A line that appears while a button of the mouse goes down moves what is under it away, and the click is lost.
    leave: (name) => void setTimeout(() => setLeft((before) => (before.has(name) ? before : new Set(before).add(name))), CLICK_MS),
    faultOf: (name) => (isOfNow(name) && (refused.length > 0 || left.has(name)) ? faults.find(({ field }) => field === name) : undefined),
    isReady: answer?.status === 'fits' && settled === content && !check.isPlaceholderData,
  }
}
