import { UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesk } from '../desk/use-desk.ts'
import { visibleText } from '../parts/server-text.tsx'
import { DismissEnded } from './dismiss-ended.tsx'
import { DoneList } from './done-list.tsx'
import { reviewsIn } from './group-reviews.ts'
import classes from './review-list.module.css'
import { ReviewRow } from './review-row.tsx'
import type { useRows } from './use-rows.ts'

const HEADING_HEIGHT = 30
const ROW_HEIGHT = 58

/** Everything that waits. Only what can be seen is drawn, so that five thousand are as light as five. */
export function ReviewList({ rows, held, hold, release, selected }: ReturnType<typeof useRows> & { readonly selected: string | undefined }): ReactNode {
  const { t } = useTranslation()
  const { done } = useDesk()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]!.kind === 'server' ? HEADING_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => {
      const row = rows[index]!
      return row.kind === 'server' ? `server ${row.server}` : row.review.id
    },
    overscan: 8,
  })
  const reviews = reviewsIn(rows)
  const ended = reviews.filter((review) => review.ended)
  const place = rows.findIndex((row) => row.kind === 'review' && row.review.id === selected)
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'auto' })
  }, [place, virtual])

  return (
    <div className={classes['list']}>
      <h1 className={classes['title']}>
        {t('shell.screens.inbox')} {ended.length < reviews.length && <span className={classes['waiting']}>{t('inbox.waiting')}</span>}
        {ended.length > 1 && <DismissEnded ended={ended} />}
      </h1>
      <div className={classes['scroller']} ref={scroller} onPointerEnter={hold} onPointerLeave={release} tabIndex={-1}>
        <ul className={classes['rows']} style={{ height: virtual.getTotalSize() }} aria-label={t('inbox.listLabel')}>
          {virtual.getVirtualItems().map(({ index, key, start, size }) => {
            const row = rows[index]!
            return (
              <li
                key={key}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className={classes['row']}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                {row.kind === 'server' ? (
                  <h2 className={classes['server']}>
                    <span className={classes['name']}>{visibleText(row.server, 60)}</span>{' '}
                    {row.count > 0 && <span className={classes['count']}>{row.count}</span>}
                  </h2>
                ) : (
                  <ReviewRow review={row.review} isSelected={row.review.id === selected} />
                )}
              </li>
            )
          })}
        </ul>
        {done.length > 0 && <DoneList done={done} />}
      </div>
      {held > 0 && (
        <UnstyledButton className={classes['news']} onClick={release} role="status">
          {t('inbox.held', { count: held })}
        </UnstyledButton>
      )}
    </div>
  )
}
