import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findShortfalls, type LimitState, type ReviewDetail, type ShownRequest } from '../../../src/console-api/contract.ts'
import { formatCost, isCost } from '../../parts/amounts.ts'

interface ShortfallsProps {
  readonly subject: Extract<ReviewDetail, { readonly kind: 'prompt' }>['subject']
  readonly request: ShownRequest
  readonly model: string
  readonly onEdit: (request: ShownRequest) => void
}

/** Before anybody says yes: for which amounts a prompt is too much, and what helps. */
export function Shortfalls({ subject, request, model, onEdit }: ShortfallsProps): ReactNode {
  const { t, i18n } = useTranslation()
  const { choice, estimate: usual, models = [], limits = [] } = subject
  const estimate = model === choice.model ? usual : models.find((one) => one.model === model)?.estimate
  const shortfalls = estimate === undefined ? [] : findShortfalls(limits, estimate, request.maxTokens)
  if (shortfalls.length === 0) return null
  const amount = ({ limit }: LimitState, value: number): string =>
    isCost(limit) ? formatCost(value, i18n.language) : new Intl.NumberFormat(i18n.language).format(value)
  const answer = Math.min(...shortfalls.map((one) => one.answer ?? 0))
  return (
    <Alert color="yellow" variant="light" title={t('sampling.noRoom')}>
      {shortfalls.map(({ limit, wanted, left }) => (
        <div key={limit.scope + limit.limit}>
          {t('sampling.noRoomIn', { limit: t(`budget.names.${limit.limit}`), wanted: amount(limit, wanted), left: amount(limit, left) })}
        </div>
      ))}
      <div>{t('sampling.noRoomHelp')}</div>
      {answer > 0 && (
        <Button mt="xs" size="xs" variant="default" onClick={() => onEdit({ ...request, maxTokens: answer })}>
          {t('sampling.shorten', { count: answer })}
        </Button>
      )}
    </Alert>
  )
}
