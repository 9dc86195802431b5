import { IconMailCheck } from '@tabler/icons-react'
import { Code } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { useDesk } from '../desk/use-desk.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'
import { useShortcuts } from '../parts/use-shortcuts.ts'
import { anewOf } from './asked-anew.ts'
import { reviewsIn } from './group-reviews.ts'
import classes from './inbox.module.css'
import { ReviewList } from './review-list.tsx'
import { ReviewPane } from './review-pane.tsx'
import { useRows } from './use-rows.ts'

/** Everything that waits on the left, one question on the right; on a narrow screen one after the other. */
export function Inbox({ id }: { readonly id?: string | undefined }): ReactNode {
  const { reviews, done } = useDesk()
  const list = useRows(reviews)
  const [, go] = useLocation()
  const isWide = useMediaQuery('(min-width: 768px)', true, { getInitialValueInEffect: false })
  const order = reviewsIn(list.rows)
  const kept = useRef<string>(undefined)
  const before = id ?? (isWide ? kept.current : undefined)
  const selected = followerOf(reviews, before) ?? id ?? (isWide ? (anewOf(reviews, before) ?? firstOf(order, before)) : undefined)
  kept.current = selected
  const open = (next: string | undefined): void => go(next === undefined ? '/inbox' : `/inbox/${encodeURIComponent(next)}`)
  const step = (by: 1 | -1): void => {
    const place = order.findIndex((review) => review.id === selected)
    const next = order[place < 0 ? 0 : place + by]
    if (next) open(next.id)
  }
  useShortcuts({ j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), u: () => open(undefined), f: focusFirst })

  /** The one below it that still waits, or else the first. */
  const nextOf = (decided: string): string | undefined => {
    const waiting = order.filter(({ id: other, ended }) => !ended && other !== decided)
    const place = order.findIndex((review) => review.id === decided)
    return (order.slice(place + 1).find((review) => waiting.includes(review)) ?? waiting[0])?.id
  }

  const isEmpty = reviews.size === 0
  return (
    <div className={classes['inbox']} data-open={id !== undefined || undefined} data-empty={(isEmpty && done.length === 0) || undefined}>
      <section className={classes['list']}>
        <ReviewList {...list} selected={selected} />
      </section>
      <section className={classes['pane']} id="pane">
        {selected !== undefined ? (
          <ReviewPane key={selected} id={selected} nextOf={nextOf} onDecided={open} onBack={() => open(undefined)} />
        ) : (
          isEmpty && <NothingWaits />
        )}
      </section>
    </div>
  )
}

/** What goes on from what was shown. */
function followerOf(reviews: ReadonlyMap<string, ReviewSummary>, before: string | undefined): string | undefined {
  return before === undefined ? undefined : [...reviews.values()].find(({ follows }) => follows === before)?.id
}

/** What is shown where nothing was chosen: what was shown before, also when it has ended meanwhile, or else the oldest that waits. */
function firstOf(order: readonly ReviewSummary[], before: string | undefined): string | undefined {
  return (order.find(({ id }) => id === before) ?? order.find(({ ended }) => !ended) ?? order[0])?.id
}

function NothingWaits(): ReactNode {
  const { t } = useTranslation()
  const { desk } = useDesk()
  return (
    <EmptyState icon={<IconMailCheck size={36} stroke={1.3} />} title={t('inbox.empty.title')}>
      <span>{t('inbox.empty.text')}</span>
      {!desk.demo && (
        <span>
          <Slotted text={t('inbox.empty.try', { command: slot('command') })} slots={{ command: <Code>consentry demo</Code> }} />
        </span>
      )}
    </EmptyState>
  )
}

function focusFirst(): void {
  document.querySelector<HTMLElement>('#pane :is(input, textarea, select, [role="radio"]):not([disabled]), #pane [data-bar] button')?.focus()
}
