import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Lane, TimelineEvent } from '../../src/console-api/contract.ts'
import { sayOutcome } from '../language/say-outcome.ts'
import { visibleText } from '../parts/server-text.tsx'
import { arrowOf, lanes, waitsBefore } from './arrows.ts'
import classes from './sequence.module.css'

interface SequenceProps {
  /** Newest first. */
  readonly events: readonly TimelineEvent[]
  readonly onOpen: (event: TimelineEvent) => void
}

/** Arrows between five lanes, time downwards from the newest; a wait of a person is drawn as one. */
export function Sequence({ events, onOpen }: SequenceProps): ReactNode {
  const { t, i18n } = useTranslation()
  const clock = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' })
  const waits = waitsBefore(events)
  return (
    <div className={classes['wide']} role="region" aria-label={t('timeline.diagram')} tabIndex={0}>
      <div className={classes['diagram']}>
        <div className={classes['head']}>
          <span className={classes['time']}>{t('timeline.order')}</span>
          {lanes.map((lane) => (
            <span key={lane} className={classes['lane']}>
              {t(`timeline.lanes.${lane}`)}
            </span>
          ))}
        </div>
        <ol className={classes['events']}>
          {events.map((event) => (
            <li key={event.id} className={classes['row']} data-thread={event.thread}>
              <time className={classes['time']} dateTime={new Date(event.at).toISOString()}>
                {clock.format(event.at)}
              </time>
              <Arrow event={event} words={wordsOf(event)} names={(lane) => t(`timeline.lanes.${lane}`)} onOpen={onOpen} />
              {waits.has(event.id) && <span className={classes['wait']}>{t('timeline.waited', { seconds: Math.round(waits.get(event.id)! / 1000) })}</span>}
            </li>
          ))}
        </ol>
      </div>
    </div>
  )

  function wordsOf({ kind, name, request, outcome, server }: TimelineEvent): string {
    const what = name ?? (request === undefined ? undefined : t(`audit.requests.${request}`))
    const end = outcome === undefined ? undefined : sayOutcome(i18n, outcome)
    return [visibleText(server, 40), t(`timeline.kinds.${kind}`), what && visibleText(what, 60), end && visibleText(end, 40)].filter(Boolean).join(' · ')
  }
}

interface ArrowProps {
  readonly event: TimelineEvent
  readonly words: string
  readonly names: (lane: Lane) => string
  readonly onOpen: (event: TimelineEvent) => void
}

function Arrow({ event, words, names, onOpen }: ArrowProps): ReactNode {
  const { start, end, isLeftward } = arrowOf(event)
  const route = `${names(event.from)} → ${names(event.to)}`
  const label = `${route}: ${words}`
  const style = { gridColumn: `${start + 2} / ${end + 2}` }
  const content = (
    <>
      <span className={classes['route']}>{route}</span>
      <span className={classes['words']}>{words}</span>
      <span className={classes['line']} data-leftward={isLeftward || undefined} aria-hidden />
    </>
  )
  return event.hasMessage ? (
    <UnstyledButton className={classes['arrow']} style={style} onClick={() => onOpen(event)} aria-label={label}>
      {content}
    </UnstyledButton>
  ) : (
    <span className={classes['arrow']} style={style} role="img" aria-label={label}>
      {content}
    </span>
  )
}
