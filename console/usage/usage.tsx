import { NativeSelect } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../desk/use-call.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loading, Page } from '../parts/page.tsx'
import { lastDays, type Measure } from './days.ts'
import { SharedLimits } from './shared-limits.tsx'
import { UsageTable } from './usage-table.tsx'
import classes from './usage.module.css'

/** The charts come with a library of their own: only for whoever looks at them. */
const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }))

const periods = [7, 30, 90]
const measures: readonly Measure[] = ['questions', 'tokens', 'cost']

/** What each server asked and used, by day: as a chart, and as the table behind it. */
export function Usage(): ReactNode {
  const { t } = useTranslation()
  const [period, setPeriod] = useState(30)
  const [measure, setMeasure] = useState<Measure>('questions')
  const days = lastDays(period, new Date())
  const { data, error } = useCall('usage/list', { from: days[0]!, to: days.at(-1)! })
  return (
    <Page title={t('usage.title')} intro={t('usage.intro')}>
      <div className={classes['choices']}>
        <NativeSelect
          size="xs"
          label={t('usage.period')}
          value={String(period)}
          onChange={(event) => setPeriod(Number(event.currentTarget.value))}
          data={periods.map((count) => ({ value: String(count), label: t('usage.days', { count }) }))}
        />
        <NativeSelect
          size="xs"
          label={t('usage.show')}
          value={measure}
          onChange={(event) => setMeasure(measures.find((one) => one === event.currentTarget.value) ?? 'questions')}
          data={measures.map((value) => ({ value, label: t(`usage.${value}`) }))}
        />
      </div>
      {data === undefined ? (
        <Loading error={error} />
      ) : data.days.length === 0 ? (
        <EmptyState icon={<IconChartBar size={32} stroke={1.4} />} title={t('usage.empty')}>
          {t('usage.emptyText')}
        </EmptyState>
      ) : (
        <>
          <div className={classes['room']}>
            <Suspense fallback={<Loading error={null} />}>
              <UsageChart usage={data.days} days={days} measure={measure} />
            </Suspense>
          </div>
          <UsageTable usage={data.days} />
        </>
      )}
      <SharedLimits />
    </Page>
  )
}
