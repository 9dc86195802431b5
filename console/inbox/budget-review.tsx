import { NativeSelect, Progress, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LimitState, ReviewDetail } from '../../src/console-api/contract.ts'
import { formatCost, isCost } from '../parts/amounts.ts'
import { formatMoment } from '../parts/moment.tsx'
import { visibleText } from '../parts/server-text.tsx'
import classes from './budget-review.module.css'
import { DecisionBar } from './decision-bar.tsx'
import { ReviewBody } from './review-body.tsx'
import type { Deciding } from './use-decision.ts'

interface BudgetReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'budget' }>
  readonly deciding: Deciding
}

const times = [1, 2, 5, 10]

/** A server's amounts are used up: more room, wait, or stop. */
export function BudgetReview({ review, deciding }: BudgetReviewProps): ReactNode {
  const { t, i18n } = useTranslation()
  const [by, setBy] = useState(1)
  const { limits, wanted, choice } = review.subject
  const server = visibleText(review.asker.server, 60)
  const tokens = wanted.inputTokens + wanted.outputTokens
  return (
    <>
      <ReviewBody>
        <Text>{t('budget.intro')}</Text>
        <dl className={classes['facts']}>
          <dt>{t('sampling.model')}</dt>
          <dd>{visibleText(choice.model, 80)}</dd>
          <dt>{t('budget.wanted')}</dt>
          <dd>
            {wanted.cost === undefined
              ? t('budget.tokens', { count: tokens })
              : t('budget.tokensAndCost', { count: tokens, cost: formatCost(wanted.cost, i18n.language) })}
          </dd>
        </dl>
        <section className={classes['limits']} aria-label={t('budget.limits')}>
          {limits.map((limit) => (
            <LimitRow key={limit.scope + limit.limit} limit={limit} server={server} />
          ))}
        </section>
        <NativeSelect
          label={t('budget.raiseLabel')}
          description={t('budget.raiseHelp')}
          maw={420}
          value={String(by)}
          onChange={(event) => setBy(Number(event.currentTarget.value))}
          data={times.map((count) => ({ value: String(count), label: t('budget.raiseBy', { count }) }))}
        />
      </ReviewBody>
      <DecisionBar
        asker={review.asker}
        deciding={deciding}
        yes={{ label: t('budget.raise'), help: t('budget.raiseHelp'), onDecide: () => deciding.decide({ action: 'raise', by }) }}
        others={[{ label: t('budget.wait'), help: t('budget.waitHelp'), onDecide: () => deciding.decide({ action: 'wait' }) }]}
        no={{ label: t('budget.stop'), help: t('budget.stopHelp', { server }), onDecide: () => deciding.decide({ action: 'stop' }) }}
      />
    </>
  )
}

function LimitRow({ limit: { limit, scope, allowed, used, resetsAt }, server }: { readonly limit: LimitState; readonly server: string }): ReactNode {
  const { t, i18n } = useTranslation()
  const amount = (value: number): string => (isCost(limit) ? formatCost(value, i18n.language) : new Intl.NumberFormat(i18n.language).format(value))
  const name = t(`budget.names.${limit}`)
  return (
    <div className={classes['limit']}>
      <span className={classes['name']}>{name}</span>
      <span className={classes['amount']}>{t('budget.used', { used: amount(used), allowed: amount(allowed) })}</span>
      <Progress className={classes['bar']} value={allowed === 0 ? 100 : Math.min((used / allowed) * 100, 100)} size="sm" aria-label={name} />
      <span className={classes['scope']}>{t(`budget.scope.${scope}`, { server })}</span>
      <span className={classes['scope']}>
        {resetsAt === undefined ? t('budget.never') : t('budget.resets', { when: formatMoment(resetsAt, i18n.language) })}
      </span>
    </div>
  )
}
