import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import { visibleText } from '../parts/server-text.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { ReviewBody } from './review-body.tsx'
import type { Deciding } from './use-decision.ts'

interface SilentClientReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'silent-client' }>
  readonly deciding: Deciding
}

/** A client that said that it answers what a server asks, and does not seem to show it to anybody: shall it be answered here? */
export function SilentClientReview({ review, deciding }: SilentClientReviewProps): ReactNode {
  const { t } = useTranslation()
  const { asker, subject } = review
  const client = asker.client === undefined ? t('inbox.silentClient.client') : visibleText(asker.client, 60)
  const server = visibleText(asker.server, 60)
  const always = {
    label: t('inbox.silentClient.always'),
    help: t('inbox.silentClient.alwaysHelp', { client, server }),
    onDecide: () => deciding.decide({ action: 'take-over', always: true }),
  }
  const yes = {
    label: t('inbox.silentClient.takeOver'),
    help: t('inbox.silentClient.takeOverHelp', { server }),
    onDecide: () => deciding.decide({ action: 'take-over' }),
    // Without a name it could not be known again.
    more: asker.client === undefined ? [] : [always],
  }
  const no = { label: t('inbox.silentClient.leave'), help: t('inbox.silentClient.leaveHelp'), onDecide: () => deciding.decide({ action: 'leave' }) }
  return (
    <>
      <ReviewBody>
        <Text>{t(`inbox.silentClient.${subject.feature}.${subject.reason}`, { client })}</Text>
        <Text>{yes.help}</Text>
        {asker.client !== undefined && <Text>{always.help}</Text>}
      </ReviewBody>
      <DecisionBar asker={asker} deciding={deciding} yes={yes} no={no} />
    </>
  )
}
