import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DoneReview } from '../../src/console-api/contract.ts'
import { formatClock } from '../parts/moment.tsx'
import { visibleText } from '../parts/server-text.tsx'
import classes from './done-list.module.css'

const SHOWN = 20
const refusals = ['decline', 'deny', 'cancel', 'stop']
const actions = [
  'accept',
  'decline',
  'cancel',
  'approve',
  'deny',
  'write',
  'grant',
  'continue',
  'stand-in',
  'restart',
  'end',
  'take-over',
  'leave',
  'raise',
  'wait',
  'stop',
] as const

/** What was decided today, the latest first. */
export function DoneList({ done }: { readonly done: readonly DoneReview[] }): ReactNode {
  const { t, i18n } = useTranslation()
  return (
    <section className={classes['done']}>
      <h2 className={classes['title']}>{t('inbox.doneToday')}</h2>
      <ul className={classes['list']}>
        {done.slice(0, SHOWN).map(({ id, kind, asker, ended }) => {
          const action = actions.find((one) => one === ended.action)
          const Icon = ended.action !== undefined && refusals.includes(ended.action) ? IconX : IconCheck
          return (
            <li key={id} className={classes['item']}>
              <Icon size={15} stroke={1.8} aria-hidden />
              <span className={classes['what']}>
                {visibleText(asker.server, 40)} · {t(`inbox.kinds.${kind}`)}
              </span>
              <span className={classes['action']}>{action ? t(`inbox.actions.${action}`) : ended.action}</span>
              <time dateTime={new Date(ended.at).toISOString()}>{formatClock(ended.at, i18n.language)}</time>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
