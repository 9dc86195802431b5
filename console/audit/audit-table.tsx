import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRow } from '../../src/console-api/contract.ts'
import { sayOutcome } from '../language/say-outcome.ts'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import classes from '../parts/list.module.css'
import { formatMoment } from '../parts/moment.tsx'
import { visibleText } from '../parts/server-text.tsx'

/** One line for each thing that happened; the whole entry for whoever wants it. */
export function AuditTable({ entries }: { readonly entries: readonly AuditRow[] }): ReactNode {
  const { t, i18n } = useTranslation()
  const outcomeOf = ({ outcome, unanswered, error }: AuditRow): string => visibleText(sayOutcome(i18n, outcome ?? unanswered ?? '') || (error ?? ''), 60)
  return (
    <div className={classes['wide']} role="region" aria-label={t('audit.title')} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t('audit.time')}</th>
            <th scope="col">{t('audit.server')}</th>
            <th scope="col">{t('audit.request')}</th>
            <th scope="col">{t('audit.event')}</th>
            <th scope="col">{t('audit.by')}</th>
            <th scope="col">{t('audit.outcome')}</th>
            <th scope="col">{t('audit.details')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.position}>
              <td>
                <time dateTime={entry.at}>{formatMoment(Date.parse(entry.at), i18n.language)}</time>
              </td>
              <td>{visibleText(entry.server, 60)}</td>
              <td>{t(`audit.requests.${entry.request}`)}</td>
              <td>{t(`audit.events.${entry.event}`)}</td>
              <td>{sayDecider(entry, t)}</td>
              <td>{outcomeOf(entry)}</td>
              <td>
                <Folded title={entry.call === undefined ? t('audit.details') : visibleText(entry.call, 40)}>
                  <JsonBlock value={entry} label={t('audit.details')} />
                </Folded>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What the user had set decides in two ways: by a rule, and by a limit. */
function sayDecider({ by, error }: AuditRow, t: TFunction): string {
  return by === undefined ? '' : t(`audit.deciders.${by === 'rule' && error === 'LIMIT_REACHED' ? 'limit' : by}`)
}
