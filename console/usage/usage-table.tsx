import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UsageDay } from '../../src/console-api/contract.ts'
import { formatCost } from '../parts/amounts.ts'
import classes from '../parts/list.module.css'
import { visibleText } from '../parts/server-text.tsx'

/** The numbers behind the chart, newest day first. */
export function UsageTable({ usage }: { readonly usage: readonly UsageDay[] }): ReactNode {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' })
  const columns = ['folders', 'forms', 'models', 'answered', 'refused', 'unanswered', 'input', 'output', 'cost'] as const
  return (
    <div className={classes['wide']} role="region" aria-label={t('usage.title')} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t('usage.day')}</th>
            <th scope="col">{t('usage.server')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={classes['number']}>
                {t(`usage.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usage
            .toSorted((one, other) => other.day.localeCompare(one.day))
            .map((row) => (
              <tr key={row.day + row.server}>
                <td className={classes['moment']}>{day.format(new Date(`${row.day}T12:00:00`))}</td>
                <td>{visibleText(row.server, 60)}</td>
                {[row.asked.roots, row.asked.elicitation, row.asked.sampling, row.answered, row.refused, row.unanswered, row.inputTokens, row.outputTokens].map(
                  (value, index) => (
                    <td key={columns[index]} className={classes['number']} data-label={t(`usage.${columns[index]!}`)}>
                      {number.format(value)}
                    </td>
                  ),
                )}
                <td
                  className={classes['number']}
                  data-label={t('usage.cost')}
                  title={row.unpriced > 0 ? t('usage.unpriced', { count: row.unpriced }) : undefined}
                >
                  {row.unpriced > 0 && row.cost === 0 ? t('sampling.costUnknown') : formatCost(row.cost, i18n.language)}
                  {row.unpriced > 0 && row.cost > 0 && ' +'}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
