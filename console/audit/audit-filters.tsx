import { NativeSelect, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditFilter } from '../../src/console-api/contract.ts'
import { useDesk } from '../desk/use-desk.ts'
import { isDay } from '../parts/calendar-days.ts'
import { DayField } from '../parts/day-field.tsx'
import { visibleText } from '../parts/server-text.tsx'
import classes from './audit-filters.module.css'
import { sayRequest } from './say-entry.ts'

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly onFilter: (filter: AuditFilter) => void
}

const requests = [
  { request: 'elicitation' },
  { request: 'elicitation', mode: 'form' },
  { request: 'elicitation', mode: 'url' },
  { request: 'sampling' },
  { request: 'roots' },
] as const satisfies readonly Pick<AuditFilter, 'request' | 'mode'>[]
const events = ['asked', 'review-opened', 'decided', 'answered', 'withdrawn', 'granted', 'revoked'] as const
const deciders = ['person', 'rule', 'script', 'none'] as const

/** Narrows the log down; every change counts at once. */
export function AuditFilters({ filter, onFilter }: AuditFiltersProps): ReactNode {
  const { t } = useTranslation()
  const { servers } = useDesk()
  const [days, setDays] = useState({ from: filter.from ?? '', to: filter.to ?? '' })
  const all = { value: '', label: t('audit.all') }
  const set = (name: keyof AuditFilter) => (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    onFilter({ ...filter, [name]: event.currentTarget.value === '' ? undefined : event.currentTarget.value })
  return (
    <div className={classes['filters']} role="search" aria-label={t('audit.filters')}>
      <NativeSelect
        size="xs"
        label={t('audit.server')}
        value={filter.server ?? ''}
        onChange={set('server')}
        data={[all, ...servers.map(({ name }) => ({ value: name, label: visibleText(name, 60) }))]}
      />
      <NativeSelect
        size="xs"
        label={t('audit.request')}
        value={keyOf(filter)}
        onChange={(event) => {
          const picked = requests.find((one) => keyOf(one) === event.currentTarget.value)
          onFilter({ ...filter, request: undefined, mode: undefined, ...picked })
        }}
        data={[all, ...requests.map((one) => ({ value: keyOf(one), label: sayRequest(one, t) }))]}
      />
      <NativeSelect
        size="xs"
        label={t('audit.event')}
        value={filter.event ?? ''}
        onChange={set('event')}
        data={[all, ...events.map((value) => ({ value, label: t(`audit.events.${value}`) }))]}
      />
      <NativeSelect
        size="xs"
        label={t('audit.by')}
        value={filter.by ?? ''}
        onChange={set('by')}
        data={[all, ...deciders.map((value) => ({ value, label: t(`audit.deciders.${value}`) }))]}
      />
      {(['from', 'to'] as const).map((end) => (
        <DayField
          key={end}
          size="xs"
          label={t(`audit.${end}`)}
          value={days[end]}
          onWrite={(text) => {
            setDays({ ...days, [end]: text })
            if (text === '' || isDay(text)) onFilter({ ...filter, [end]: text === '' ? undefined : text })
          }}
        />
      ))}
      <TextInput size="xs" label={t('audit.search')} type="search" value={filter.search ?? ''} onChange={set('search')} />
    </div>
  )
}

function keyOf({ request, mode }: Pick<AuditFilter, 'request' | 'mode'>): string {
  return `${request ?? ''} ${mode ?? ''}`.trim()
}
