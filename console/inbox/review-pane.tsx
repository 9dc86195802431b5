import { ActionIcon, Button, Skeleton, Stack } from '@mantine/core'
import { IconArrowLeft, IconMailOff, IconPlugConnectedX } from '@tabler/icons-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../src/console-api/contract.ts'
import { DialogsOver } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FaultText } from '../parts/fault-text.tsx'
import { EndedCard } from './ended-card.tsx'
import { FormReview } from './form/form-review.tsx'
import { ReviewHead } from './review-head.tsx'
import classes from './review-pane.module.css'
import { UrlReview } from './url-review.tsx'
import { UrlWaitReview } from './url-wait-review.tsx'
import { useDecision, type Deciding } from './use-decision.ts'
import { useReview } from './use-review.ts'

/** Forms and pages come most often, and are there at once; the others are loaded with the first of their kind. */
const BudgetReview = lazy(async () => ({ default: (await import('./budget-review.tsx')).BudgetReview }))
const CompletionReview = lazy(async () => ({ default: (await import('./sampling/completion-review.tsx')).CompletionReview }))
const FoldersReview = lazy(async () => ({ default: (await import('./folders/folders-review.tsx')).FoldersReview }))
const KeptFoldersReview = lazy(async () => ({ default: (await import('./folders/kept-folders-review.tsx')).KeptFoldersReview }))
const PromptReview = lazy(async () => ({ default: (await import('./sampling/prompt-review.tsx')).PromptReview }))
const SilentClientReview = lazy(async () => ({ default: (await import('./silent-client-review.tsx')).SilentClientReview }))

interface ReviewPaneProps {
  readonly id: string
  readonly nextOf: (id: string) => string | undefined
  readonly onDecided: (next: string | undefined) => void
  readonly onBack: () => void
}

/** One question: who wants what, what would be sent, and the buttons that decide. */
export function ReviewPane({ id, nextOf, onDecided, onBack }: ReviewPaneProps): ReactNode {
  const { t } = useTranslation()
  const loaded = useReview(id)
  const deciding = useDecision(id, nextOf, onDecided)
  const back = (
    <ActionIcon className={classes['back']} variant="subtle" color="gray" onClick={onBack} aria-label={t('shell.help.list')}>
      <IconArrowLeft size={18} aria-hidden />
    </ActionIcon>
  )
  if (loaded.status === 'loading') return <Skeletons />
  if (loaded.status === 'failed') {
    return (
      <EmptyState icon={<IconPlugConnectedX size={32} stroke={1.4} />} title={<FaultText fault={loaded.error} />}>
        <div>
          <Button variant="default" onClick={loaded.retry}>
            {t('common.retry')}
          </Button>
        </div>
      </EmptyState>
    )
  }
  if (loaded.status !== 'found') {
    return (
      <EmptyState icon={<IconMailOff size={32} stroke={1.4} />} title={t('inbox.gone.title')}>
        <span>{loaded.status === 'ended' ? t('inbox.gone.text') : t('inbox.outcomes.unknown')}</span>
        <div>
          <Button variant="default" onClick={onBack}>
            {t('inbox.gone.next')}
          </Button>
        </div>
      </EmptyState>
    )
  }
  // What was decided here is on its way elsewhere.
  const review: ReviewDetail = deciding.isPending ? { ...loaded.review, ended: undefined } : loaded.review
  return (
    <article className={classes['pane']} data-review={id} data-ended={review.ended ? true : undefined} aria-labelledby="headline">
      <ReviewHead review={review} back={back} />
      {review.ended && <EndedCard review={review} ended={review.ended} onDismissed={() => onDecided(nextOf(id))} />}
      <div className={classes['work']} inert={review.ended !== undefined}>
        <DialogsOver value={review.ended !== undefined}>
          <Suspense fallback={<Skeletons />}>
            <ReviewWork review={review} deciding={review.ended ? { ...deciding, isAsleep: true } : deciding} />
          </Suspense>
        </DialogsOver>
      </div>
    </article>
  )
}

function ReviewWork({ review, deciding }: { readonly review: ReviewDetail; readonly deciding: Deciding }): ReactNode {
  switch (review.kind) {
    case 'form':
      return <FormReview review={review} deciding={deciding} />
    case 'url':
      return <UrlReview review={review} deciding={deciding} />
    case 'url-wait':
      return <UrlWaitReview review={review} deciding={deciding} />
    case 'prompt':
      return <PromptReview review={review} deciding={deciding} />
    case 'completion':
      return <CompletionReview review={review} deciding={deciding} />
    case 'budget':
      return <BudgetReview review={review} deciding={deciding} />
    case 'folders':
      return <FoldersReview review={review} deciding={deciding} />
    case 'kept-folders':
      return <KeptFoldersReview review={review} deciding={deciding} />
    case 'silent-client':
      return <SilentClientReview review={review} deciding={deciding} />
    default:
      return review satisfies never
  }
}

function Skeletons(): ReactNode {
  return (
    <Stack p="lg" gap="sm" aria-hidden>
      <Skeleton h={24} w="70%" />
      <Skeleton h={14} w="45%" />
      <Skeleton h={84} mt="sm" />
      <Skeleton h={160} />
    </Stack>
  )
}
