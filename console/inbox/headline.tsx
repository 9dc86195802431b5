import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DoneReview, ReviewSummary } from '../../src/console-api/contract.ts'
import { visibleText } from '../parts/server-text.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'

type Headed = Pick<ReviewSummary, 'kind' | 'asker' | 'about'> | (Pick<DoneReview, 'kind' | 'asker'> & { readonly about?: undefined })

/** Who wants what, and what it is for, in one sentence of ours. The server's own words are never in it, but for the names of its tools. */
export function Headline({ review }: { readonly review: Headed }): ReactNode {
  const { t } = useTranslation()
  const { server, call } = review.asker
  return (
    <Slotted
      text={sentence(review, t, slot('server'), slot('call'))}
      slots={{ server: <b>{visibleText(server, 60)}</b>, call: <em>{call && call.kind !== 'one-of' ? visibleText(call.name, 60) : ''}</em> }}
    />
  )
}

/** The same as a text alone: for notifications and names. */
export function headlineText(review: Headed, t: TFunction): string {
  const { server, call } = review.asker
  return sentence(review, t, visibleText(server, 60), call && call.kind !== 'one-of' ? visibleText(call.name, 60) : '')
}

function sentence({ kind, asker, about }: Headed, t: TFunction, server: string, call: string): string {
  const purpose =
    asker.call === undefined ? '' : asker.call.kind === 'one-of' ? t('inbox.purpose.oneOf', { count: asker.call.count }) : t('inbox.purpose.call', { call })
  if (kind !== 'form') return t(`inbox.headline.${kind}`, { server, purpose })
  const count = about?.fields ?? 0
  return count === 0 ? t('inbox.headline.confirm', { server, purpose }) : t('inbox.headline.form', { count, server, purpose })
}
