import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail, ReviewEnd } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { usePhrase } from '../language/use-phrase.ts'
import { visibleText } from '../parts/server-text.tsx'
import { Ago } from '../parts/moment.tsx'
import classes from './ended-card.module.css'
import { isVisitDone, WithdrawnReason } from './withdrawn-reason.tsx'

interface EndedCardProps {
  readonly review: ReviewDetail
  readonly ended: ReviewEnd
  readonly onDismissed: () => void
}

/** Says why a question waits no more, and stays until somebody has read it. */
export function EndedCard({ review, ended, onDismissed }: EndedCardProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const card = useRef<HTMLDivElement>(null)
  const { mutate, isPending } = useMutation({ mutationFn: () => call('review/dismiss', { id: review.id }), onSuccess: onDismissed })
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  const isDone = isVisitDone(ended)
  const words = isDone ? 'completed' : ended.outcome === 'decided' && ended.surface === undefined ? 'decided-elsewhere' : ended.outcome
  return (
    <div className={classes['card']} role="status" ref={card} tabIndex={-1}>
      <p className={classes['words']}>
        {isDone && <IconCheck size={16} stroke={2.2} className={classes['tick']} aria-hidden />}
        <b>
          {ended.failure ? say(ended.failure) : t(`inbox.outcomes.${words}`, { server: visibleText(review.asker.server, 60), surface: ended.surface ?? '' })}
        </b>{' '}
        <span className={classes['when']}>
          <Ago at={ended.at} />
        </span>
        {ended.reason !== undefined && !isDone && (
          <span className={classes['reason']}>
            <WithdrawnReason reason={ended.reason} />
          </span>
        )}
      </p>
      <Button variant="default" size="compact-sm" onClick={() => mutate()} loading={isPending}>
        {t('common.dismiss')}
      </Button>
    </div>
  )
}
