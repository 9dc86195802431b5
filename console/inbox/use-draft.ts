import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReviewDetail, ShownDrafts } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { keepDraft } from './use-review.ts'

type Drafts = ShownDrafts[keyof ShownDrafts]

const PAUSE_MS = 250

/**
 * What is typed here, in step with the desk and the other windows: sent a moment after the last change and when the page goes away,
 * so that it is there again after a reload.
 */
export function useDraft<Value extends Drafts>({ id, draft }: Pick<ReviewDetail, 'id'> & { readonly draft: Value }): readonly [Value, (value: Value) => void] {
  const { window: ownWindow } = useDesk()
  const queries = useQueryClient()
  const [value, setValue] = useState(draft)
  const unsent = useRef<{ readonly value: Value; readonly timer: ReturnType<typeof setTimeout> }>(undefined)
  /** The last that was typed here, until another window has the word. */
  const typed = useRef<Value>(undefined)
  const target = useRef({ id, ownWindow })
  target.current = { id, ownWindow }

  const flush = useCallback(() => {
    const waiting = unsent.current
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    unsent.current = undefined
    const { id: review, ownWindow: name } = target.current
    // What is too large for a page that goes away is sent in the ordinary way while it stays.
    void call('review/draft', { id: review, window: name, draft: waiting.value }, { keepalive: document.visibilityState === 'hidden' }).catch(() => undefined)
  }, [])

  const change = useCallback(
    (next: Value) => {
      setValue(next)
      typed.current = next
      clearTimeout(unsent.current?.timer)
      unsent.current = { value: next, timer: setTimeout(flush, PAUSE_MS) }
    },
    [flush],
  )

  const known = useRef(draft)
  useEffect(() => {
    if (draft === known.current) return
    known.current = draft
    // What is not sent yet is newer.
    if (unsent.current !== undefined) return
    typed.current = undefined
    setValue(draft)
  }, [draft])
  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
      if (typed.current !== undefined) keepDraft(queries, target.current.id, typed.current)
    }
  }, [flush, queries])
  return [value, change]
}
