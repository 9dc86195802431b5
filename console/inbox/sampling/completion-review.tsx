import { Button, Loader, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { formatCost } from '../../parts/amounts.ts'
import { Folded } from '../../parts/folded.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { DecisionBar } from '../decision-bar.tsx'
import { ReviewBody } from '../review-body.tsx'
import type { Deciding } from '../use-decision.ts'
import { useDraft } from '../use-draft.ts'
import { WillBeSent } from '../will-be-sent.tsx'
import { BlockView } from './block-view.tsx'
import classes from './completion-review.module.css'
import { Conversation } from './conversation.tsx'
import { DecisionFaults } from './decision-faults.tsx'
import { withAnswerText } from './edit-request.ts'
import { EditableText } from './editable-text.tsx'

interface CompletionReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'completion' }>
  readonly deciding: Deciding
}

/** A model's answer before its server gets it: it grows while the model writes, can be stopped, edited, sent or withheld. */
export function CompletionReview({ review, deciding }: CompletionReviewProps): ReactNode {
  const { t, i18n } = useTranslation()
  const say = usePhrase()
  const { asker, subject } = review
  const [draft, setDraft] = useDraft(review)
  const { content, model, stopReason, progress = 'finished', answer, spent, notes = [] } = draft
  const server = visibleText(asker.server, 60)
  const isStreaming = progress === 'streaming' && review.ended === undefined
  const original = answer?.content ?? subject.completion.content
  const isEmpty = content.every((block) => block.type === 'text' && block.text === '')
  return (
    <>
      <ReviewBody>
        <DecisionFaults faults={deciding.faults} />
        <section className={classes['answer']} aria-busy={isStreaming}>
          <div className={classes['head']}>
            <h3 className={classes['model']}>{t('sampling.answer', { model: visibleText(model || (subject.choice?.model ?? ''), 80) })}</h3>
            {isStreaming && (
              <>
                <span className={classes['writing']} role="status">
                  <Loader size={14} type="dots" aria-hidden /> {t(isEmpty ? 'sampling.awaited' : 'sampling.streaming')}
                </span>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPlayerStop size={14} aria-hidden />}
                  onClick={() => setDraft({ ...draft, progress: 'stopped' })}
                >
                  {t('sampling.stop')}
                </Button>
              </>
            )}
          </div>
          {content.map((block, position) => {
            const before = original[position]
            return block.type === 'text' ? (
              <EditableText
                key={position}
                label={t('sampling.answer', { model: visibleText(model, 80) })}
                text={block.text}
                original={!isStreaming && before?.type === 'text' ? before.text : block.text}
                isLocked={isStreaming}
                onEdit={(text) => setDraft(withAnswerText(draft, position, text))}
              />
            ) : (
              <BlockView key={position} block={block} server={asker.server} />
            )
          })}
          {isEmpty && !isStreaming && !review.ended && <Text c="dimmed">{t('sampling.emptyAnswer')}</Text>}
        </section>
        <p className={classes['facts']}>
          {progress === 'stopped' && <span>{t('sampling.stopped')}</span>}
          {spent && <span>{t('sampling.usage', { input: spent.inputTokens, output: spent.outputTokens })}</span>}
          {spent?.cost !== undefined && <span>{formatCost(spent.cost, i18n.language)}</span>}
          {spent?.estimated && <span>{t('sampling.estimated')}</span>}
          {stopReason !== undefined && !isStreaming && <span>{t('sampling.stopReason', { reason: visibleText(stopReason, 60) })}</span>}
          {notes.map((note) => (
            <span key={note.key + note.sentence}>{say(note)}</span>
          ))}
        </p>
        <Folded title={t('sampling.prompt')}>
          <Conversation request={subject.request} server={asker.server} />
        </Folded>
      </ReviewBody>
      {!isStreaming && (
        <WillBeSent server={asker.server}>
          <JsonBlock value={{ role: 'assistant', content, model, stopReason }} label={t('inbox.willBeSent', { server })} maximum={4000} />
        </WillBeSent>
      )}
      <DecisionBar
        asker={asker}
        deciding={deciding}
        yes={{
          label: t('sampling.sendTo', { server }),
          isOff: isStreaming,
          onDecide: () => deciding.decide({ action: 'approve', completion: { content, model, ...(stopReason !== undefined && { stopReason }) } }),
        }}
        no={{ label: t('sampling.withhold'), help: t('sampling.denyHelp', { server }), onDecide: () => deciding.decide({ action: 'deny' }) }}
      />
    </>
  )
}
