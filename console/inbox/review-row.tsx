import {
  IconCheck,
  IconCoin,
  IconFolderOff,
  IconFolders,
  IconForms,
  IconHourglass,
  IconMessage2,
  IconMessageBolt,
  IconMessageOff,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ReviewKind, ReviewSummary } from '../../src/console-api/contract.ts'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { Ago, formatLeft, useDeskNow } from '../parts/moment.tsx'
import { visibleText } from '../parts/server-text.tsx'
import classes from './review-row.module.css'
import { isVisitDone } from './withdrawn-reason.tsx'

export const kindIcons: Readonly<Record<ReviewKind, TablerIcon>> = {
  form: IconForms,
  url: IconWorld,
  'url-wait': IconHourglass,
  prompt: IconMessage2,
  completion: IconMessageBolt,
  budget: IconCoin,
  folders: IconFolders,
  'kept-folders': IconFolderOff,
  'silent-client': IconMessageOff,
}

interface ReviewRowProps {
  readonly review: ReviewSummary
  readonly isSelected: boolean
}

/** One question in the list: what it is about, how old it is, and how long it still waits. */
export function ReviewRow({ review, isSelected }: ReviewRowProps): ReactNode {
  const { t } = useTranslation()
  const { id, kind, asker, about, openedAt, ended } = review
  const Icon = kindIcons[kind]
  const isDone = ended !== undefined && isVisitDone(ended)
  const purpose = asker.call && asker.call.kind !== 'one-of' ? asker.call.name : undefined
  const detail = about.host ?? (about.model === 'person' ? undefined : about.model) ?? (purpose === undefined ? asker.target : undefined)
  return (
    <Link
      href={`/inbox/${encodeURIComponent(id)}`}
      className={classes['row']}
      data-ended={ended ? true : undefined}
      data-done={isDone || undefined}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Icon size={18} stroke={1.6} className={classes['icon']} aria-hidden />
      <span className={classes['subject']}>{purpose === undefined ? t(`inbox.kinds.${kind}`) : visibleText(purpose, 80)}</span>
      <span className={classes['age']}>
        <Ago at={openedAt} />
      </span>
      <span className={classes['kind']}>
        {purpose !== undefined && t(`inbox.kinds.${kind}`)}
        {purpose !== undefined && detail !== undefined && ' · '}
        {detail !== undefined && <MiddleCut text={detail} />}
      </span>
      {ended ? (
        <span className={classes['left']}>
          {isDone && <IconCheck size={14} stroke={2} aria-hidden />}
          {t(isDone ? 'inbox.visitDone' : 'inbox.ended')}
        </span>
      ) : (
        <TimeLeft review={review} />
      )}
    </Link>
  )
}

function TimeLeft({ review: { openedAt, deadline } }: { readonly review: ReviewSummary }): ReactNode {
  const left = deadline - useDeskNow()
  const share = Math.min(Math.max(left / (deadline - openedAt), 0), 1)
  return (
    <span className={classes['left']} data-late={share < 0.15 || undefined}>
      <span className={classes['bar']} aria-hidden>
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
      {formatLeft(left)}
    </span>
  )
}
