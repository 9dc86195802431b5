import { Button, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import { Quote } from '../parts/quote.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { openAddress } from './open-address.ts'
import { ReviewBody } from './review-body.tsx'
import { UrlCardView } from './url-card.tsx'
import type { Deciding } from './use-decision.ts'

interface UrlWaitReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'url-wait' }>
  readonly deciding: Deciding
}

/** After consent: the person is out there. The server may report completion first, which ends this by itself. */
export function UrlWaitReview({ review, deciding }: UrlWaitReviewProps): ReactNode {
  const { t } = useTranslation()
  const { cards, message } = review.subject
  return (
    <>
      <ReviewBody>
        <Text fz="sm">{t('url.wait', { server: visibleText(review.asker.server, 60) })}</Text>
        {message !== '' && <Quote server={review.asker.server} text={message} />}
        {cards.map((card, index) => (
          <UrlCardView key={index} card={card} title={t('url.whole')}>
            <Button size="compact-sm" variant="default" leftSection={<IconExternalLink size={15} aria-hidden />} onClick={() => openAddress(card.url)}>
              {t('url.again')}
            </Button>
          </UrlCardView>
        ))}
      </ReviewBody>
      <DecisionBar asker={review.asker} deciding={deciding} yes={{ label: t('url.continue'), onDecide: () => deciding.decide({ action: 'continue' }) }} />
    </>
  )
}
