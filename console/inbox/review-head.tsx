import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import dotted from '../parts/dotted.module.css'
import { formatAgo, formatLeft, useDeskNow } from '../parts/moment.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'
import { Headline } from './headline.tsx'
import classes from './review-head.module.css'

/** Who wants what, in our words: what is started, for whom, how often it was asked, how long it waits. */
export function ReviewHead({ review, back }: { readonly review: ReviewDetail; readonly back: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const { asker } = review
  // Whoever decided the one before by key or click goes on here; who came by the list keeps the focus there.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={classes['head']}>
      <div className={classes['line']}>
        {back}
        <h2 id="headline" ref={heading} tabIndex={-1} className={classes['headline']}>
          <Headline review={review} />
        </h2>
      </div>
      <p className={`${dotted['dotted']} ${classes['facts']}`}>
        <code className={classes['target']}>
          <ServerText text={asker.target} maximum={200} />
        </code>
        {asker.client !== undefined && <span>{t('inbox.client', { client: visibleText(asker.client, 40) })}</span>}
        <Asked review={review} />
        {!review.ended && <Deadline deadline={review.deadline} />}
      </p>
      {!asker.named && (
        <p className={classes['note']}>
          <IconAlertTriangle size={14} aria-hidden /> {t('inbox.unnamed')}
        </p>
      )}
    </header>
  )
}

function Asked({ review: { asked } }: { readonly review: ReviewDetail }): ReactNode {
  const { t, i18n } = useTranslation()
  const now = useDeskNow()
  if (asked.last === undefined || asked.times < 2) return <span>{t('inbox.firstAsked')}</span>
  return <span>{t('inbox.askedBefore', { count: asked.times, last: formatAgo(asked.last, now, i18n.language) })}</span>
}

function Deadline({ deadline }: { readonly deadline: number }): ReactNode {
  const { t } = useTranslation()
  const left = deadline - useDeskNow()
  return (
    <span className={classes['deadline']} data-late={left < 60_000 || undefined}>
      <IconClock size={14} aria-hidden /> {t('inbox.deadlineLong', { left: formatLeft(left) })}
    </span>
  )
}
