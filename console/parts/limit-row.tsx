import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LimitState } from '../../src/console-api/contract.ts'
import { formatCost, isCost } from './amounts.ts'
import classes from './limit-row.module.css'
import { formatMoment } from './moment.tsx'

/** One limit, how far it is used up, whose it is, and when there is room again. */
export function LimitRow({
  limit: { limit, scope, allowed, used, unpriced = 0, resetsAt },
  server,
}: {
  readonly limit: LimitState
  readonly server: string
}): ReactNode {
  const { t, i18n } = useTranslation()
  const amount = (value: number): string => (isCost(limit) ? formatCost(value, i18n.language) : new Intl.NumberFormat(i18n.language).format(value))
  const name = t(`budget.names.${limit}`)
  return (
    <div className={classes['limit']}>
      <span className={classes['name']}>{name}</span>
      <span className={classes['amount']}>{t('budget.used', { used: amount(used), allowed: amount(allowed) })}</span>
      <Progress className={classes['bar']} value={allowed === 0 ? 100 : Math.min((used / allowed) * 100, 100)} size="sm" aria-label={name} />
      <span className={classes['scope']}>{t(`budget.scope.${scope}`, { server })}</span>
      {unpriced > 0 && <span className={classes['scope']}>{t('budget.unpriced', { count: unpriced })}</span>}
      <span className={classes['scope']}>
        {resetsAt === undefined ? t('budget.never') : t('budget.resets', { when: formatMoment(resetsAt, i18n.language) })}
      </span>
    </div>
  )
}
