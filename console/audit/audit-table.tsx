import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRow } from '../../src/console-api/contract.ts'
import { JsonBlock } from '../parts/json-block.tsx'
import list from '../parts/list.module.css'
import { formatMoment } from '../parts/moment.tsx'
import { visibleText } from '../parts/server-text.tsx'
import classes from './audit-table.module.css'
import { sayDecider, sayEntryOutcome, sayRequest } from './say-entry.ts'

const columns = ['time', 'server', 'request', 'event', 'by', 'outcome', 'details'] as const

/** One line for each thing that happened; the whole entry below it for whoever wants it. */
export function AuditTable({ entries }: { readonly entries: readonly AuditRow[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={list['wide']} role="region" aria-label={t('audit.title')} tabIndex={0}>
      <table className={list['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`audit.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Entry key={entry.position} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Entry({ entry }: { readonly entry: AuditRow }): ReactNode {
  const { t, i18n } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const whole = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <tr>
        <td className={list['moment']}>
          <time dateTime={entry.at}>{formatMoment(Date.parse(entry.at), i18n.language, 'medium')}</time>
        </td>
        <td>{visibleText(entry.server, 60)}</td>
        <td>{sayRequest(entry, t)}</td>
        <td>{t(`audit.events.${entry.event}`)}</td>
        <td>{sayDecider(entry, t)}</td>
        <td>{sayEntryOutcome(entry, i18n)}</td>
        <td>
          <UnstyledButton className={classes['toggle']} aria-expanded={isOpen} aria-controls={isOpen ? whole : undefined} onClick={() => setOpen(!isOpen)}>
            <Chevron size={14} aria-hidden />
            {entry.call === undefined ? t('audit.details') : visibleText(entry.call, 40)}
          </UnstyledButton>
        </td>
      </tr>
      {isOpen && (
        <tr className={classes['whole']} id={whole}>
          <td colSpan={columns.length}>
            <JsonBlock value={entry} label={t('audit.details')} />
          </td>
        </tr>
      )}
    </>
  )
}
