import { Checkbox, NativeSelect, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import { formatCost } from '../parts/amounts.ts'
import { LimitRow } from '../parts/limit-row.tsx'
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

/** A request takes more than a server's amounts have left: more room, wait, or stop. */
export function BudgetReview({ review, deciding }: BudgetReviewProps): ReactNode {
  const { t, i18n } = useTranslation()
  const [by, setBy] = useState(1)
  const [isForDay, setForDay] = useState(false)
  const { limits, wanted, choice } = review.subject
  const server = visibleText(review.asker.server, 60)
  const waitHelp = t(limits.every(({ resetsAt }) => resetsAt === undefined) ? 'budget.waitHelpNever' : 'budget.waitHelp', { server })
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
        {limits.some(({ limit }) => limit.endsWith('Day')) && (
          <Checkbox
            label={t('budget.raiseForDay')}
            description={t('budget.raiseForDayHelp')}
            checked={isForDay}
            onChange={(event) => setForDay(event.currentTarget.checked)}
          />
        )}
        <dl className={classes['facts']}>
          <dt>{t('budget.wait')}</dt>
          <dd>{waitHelp}</dd>
        </dl>
      </ReviewBody>
      <DecisionBar
        asker={review.asker}
        deciding={deciding}
        yes={{
          label: t('budget.raise'),
          help: t('budget.raiseHelp'),
          onDecide: () => deciding.decide({ action: 'raise', by, ...(isForDay && { lasts: 'day' as const }) }),
        }}
        others={[
          {
            label: t('budget.wait'),
            help: waitHelp,
            onDecide: () => deciding.decide({ action: 'wait' }),
          },
        ]}
        no={{ label: t('budget.stop'), help: t('budget.stopHelp', { server }), onDecide: () => deciding.decide({ action: 'stop' }) }}
      />
    </>
  )
}
