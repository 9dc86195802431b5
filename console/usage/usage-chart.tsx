import { useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import type { UsageDay } from '../../src/console-api/contract.ts'
import { formatCost } from '../parts/amounts.ts'
import { visibleText } from '../parts/server-text.tsx'
import { rowsOf, type Measure } from './days.ts'
import classes from './usage.module.css'

interface UsageChartProps {
  readonly usage: readonly UsageDay[]
  readonly days: readonly string[]
  readonly measure: Measure
}

/** Told apart without colour, too: by their order and by the table below. */
const shades = ['#1b667d', '#b3742b', '#5d6f3a', '#7a5a8c', '#8c4a4a', '#5aa5bb', '#98a1ab']

/** A bar for each day, a part of it for each server. */
export function UsageChart({ usage, days, measure }: UsageChartProps): ReactNode {
  const { t, i18n } = useTranslation()
  const isDark = useMantineColorScheme().colorScheme === 'dark'
  const servers = [...new Set(usage.map(({ server }) => server))]
  const number = new Intl.NumberFormat(i18n.language, { notation: 'compact' })
  const day = new Intl.DateTimeFormat(i18n.language, { month: 'numeric', day: 'numeric' })
  const ink = isDark ? '#9aa4ae' : '#5b6570'
  return (
    <figure className={classes['chart']} aria-label={t('usage.chart', { what: t(`usage.${measure}`) })}>
      <ResponsiveContainer width="100%" height={240}>
        <BarChart data={[...rowsOf(usage, days, servers, measure)]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tickFormatter={(value: string) => day.format(new Date(`${value}T12:00:00`))}
            tick={{ fill: ink, fontSize: 11 }}
            stroke="var(--line-strong)"
            minTickGap={24}
          />
          <YAxis
            width={56}
            allowDecimals={measure === 'cost'}
            tickFormatter={(value: number) => (measure === 'cost' ? formatCost(value, i18n.language) : number.format(value))}
            tick={{ fill: ink, fontSize: 11 }}
            stroke="transparent"
          />
          {servers.map((server, index) => (
            <Bar key={server} dataKey={`s${index}`} stackId="all" fill={shades[index % shades.length]!} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
      <figcaption className={classes['legend']}>
        {servers.map((server, index) => (
          <span key={server} className={classes['key']}>
            <span className={classes['patch']} style={{ background: shades[index % shades.length] }} aria-hidden />
            {visibleText(server, 60)}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
