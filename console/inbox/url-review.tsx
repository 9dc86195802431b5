import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Text } from '@mantine/core'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import { Quote } from '../parts/quote.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { openAddress } from './open-address.ts'
import { ReviewBody } from './review-body.tsx'
import { UrlCardView } from './url-card.tsx'
import type { Deciding } from './use-decision.ts'
import { WillBeSent } from './will-be-sent.tsx'

interface UrlReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'url' }>
  readonly deciding: Deciding
}

/** A web page that the server sends a person to; nothing is opened or fetched before they say so. */
export function UrlReview({ review, deciding }: UrlReviewProps): ReactNode {
  const { t } = useTranslation()
  const { card, message } = review.subject
  const server = visibleText(review.asker.server, 60)
  const accept = (): void => deciding.decide({ action: 'accept' })
  return (
    <>
      <ReviewBody>
        <Quote server={review.asker.server} text={message} />
        <UrlCardView card={card} title={t('url.whatOpens')} />
      </ReviewBody>
      <WillBeSent server={review.asker.server}>
        <Text fz="sm">{t('url.nothingSent')}</Text>
      </WillBeSent>
      <DecisionBar
        asker={review.asker}
        deciding={deciding}
        yes={{
          label: t('url.open'),
          help: t('url.openedAndTold', { server }),
          onDecide: () => {
            openAddress(card.url)
            accept()
          },
          more: [{ label: t('url.agree'), help: t('url.agreeHelp', { server }), onDecide: accept }],
        }}
        no={{ label: t('common.decline'), help: t('inbox.declineHelp', { server }), onDecide: () => deciding.decide({ action: 'decline' }) }}
      />
    </>
  )
}
