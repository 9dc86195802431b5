import { Alert, Button, Text, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hasMarkLeft, hasPutBack, putBack, takeOut, type ReviewDetail, type ShownRequest } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { Folded } from '../../parts/folded.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { DecisionBar } from '../decision-bar.tsx'
import { ReviewBody } from '../review-body.tsx'
import type { Deciding } from '../use-decision.ts'
import { useDraft } from '../use-draft.ts'
import { Conversation } from './conversation.tsx'
import { DecisionFaults } from './decision-faults.tsx'
import classes from './prompt-review.module.css'
import { PromptSide } from './prompt-side.tsx'
import { Redaction } from './redaction.tsx'
import { Shortfalls } from './shortfalls.tsx'

interface PromptReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'prompt' }>
  readonly deciding: Deciding
}

const PERSON = 'person'
const DAYS = 30

/** A prompt before it goes to a model: everything that the model would read, and which model, why, and what it may cost. */
export function PromptReview({ review, deciding }: PromptReviewProps): ReactNode {
  const { t, i18n } = useTranslation()
  const say = usePhrase()
  const { subject, asker } = review
  const [draft, setDraft] = useDraft(review)
  const { written, ...request } = draft
  const answer = written ?? ''
  const setRequest = (changed: ShownRequest): void => setDraft({ ...changed, ...(written !== undefined && { written }) })
  const [picked, setModel] = useState<string>()
  const model = picked !== undefined && subject.models?.some((one) => one.model === picked && !one.cannot) ? picked : subject.choice.model
  // Whoever comes back finds what they were writing.
  const [isWriting, setWriting] = useState(answer !== '')
  const [isAskedBack, setAskedBack] = useState(false)
  const server = visibleText(asker.server, 60)
  // Whoever writes answers what the server asked: what was changed is for a model. Until then a model may still be added.
  const isForModel = !isWriting
  const takenOut = subject.redaction && { taken: subject.request, original: subject.redaction.original }
  const isBack = takenOut !== undefined && hasPutBack(request, takenOut)
  const asked = isBack ? takenOut.original : subject.request
  const until = Date.now() + DAYS * 86_400_000
  const approve = (remember?: { readonly for: 'run' | 'always'; readonly until?: number | undefined }) => (): void =>
    deciding.decide({
      action: 'approve',
      ...changes(request, subject.request),
      model,
      ...(remember && { remember }),
    })
  const write = (): void =>
    deciding.decide({ action: 'write', completion: { content: [{ type: 'text', text: answer }], model: PERSON, stopReason: 'endTurn' } })

  return (
    <>
      <ReviewBody>
        {subject.because && <Text fz="sm">{say(subject.because)}</Text>}
        {subject.redaction && takenOut && (
          <Redaction
            parts={subject.redaction.parts}
            isBack={isBack}
            isUnclear={isAskedBack && hasMarkLeft(request, takenOut)}
            onToggle={(back) => {
              setAskedBack(back)
              setRequest(back ? putBack(request, takenOut) : takeOut(request, takenOut))
            }}
          />
        )}
        {subject.failed && (
          <Alert color="red" variant="light" role="alert" title={say(subject.failed)}>
            {!review.ended && t('sampling.stillOpen', { server })}
          </Alert>
        )}
        <DecisionFaults faults={deciding.faults} />
        {isForModel && !review.ended && <Shortfalls subject={subject} request={request} model={model} onEdit={setRequest} />}
        <div className={classes['columns']}>
          <div className={classes['main']}>
            {isWriting && (
              <Textarea
                label={t('sampling.yourAnswer')}
                description={t('sampling.yourAnswerHelp', { server })}
                value={answer}
                onChange={(event) => setDraft({ ...draft, written: event.currentTarget.value })}
                autosize
                minRows={4}
                maxRows={16}
                autoFocus
              />
            )}
            {!isForModel && !same({ ...request, maxTokens: asked.maxTokens }, asked) && <Text fz="sm">{t('sampling.editsUnused', { server })}</Text>}
            <Conversation
              request={isForModel ? request : asked}
              original={isForModel ? subject.request : asked}
              server={asker.server}
              onEdit={isForModel ? setRequest : undefined}
            />
            <Folded title={t('sampling.wire')}>
              <JsonBlock value={isForModel ? request : asked} label={t('sampling.wire')} maximum={8000} />
            </Folded>
          </div>
          <PromptSide review={review} request={request} model={model} onModel={setModel} onEdit={isForModel ? setRequest : undefined} />
        </div>
      </ReviewBody>
      <DecisionBar
        asker={asker}
        deciding={deciding}
        yes={
          isWriting
            ? { label: t('sampling.sendTo', { server }), isOff: answer.trim() === '', onDecide: write }
            : model === PERSON
              ? undefined
              : {
                  label: t(subject.failed ? 'sampling.tryAgain' : 'sampling.approve'),
                  onDecide: approve(),
                  more: [
                    { label: t('sampling.approveRun'), help: t('sampling.approveRunHelp'), onDecide: approve({ for: 'run' }) },
                    {
                      label: t('sampling.approveDays'),
                      help: t('sampling.approveDaysHelp', { day: new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(until) }),
                      onDecide: approve({ for: 'always', until }),
                    },
                  ],
                }
        }
        no={{ label: t('common.deny'), help: t('sampling.denyHelp', { server }), onDecide: () => deciding.decide({ action: 'deny' }) }}
        extra={
          <Button variant="default" onClick={() => setWriting(!isWriting)}>
            {isWriting ? t('sampling.writeBack') : t('sampling.write')}
          </Button>
        }
      />
    </>
  )
}

function changes(request: ShownRequest, shown: ShownRequest): { readonly request?: ShownRequest } {
  return same(request, shown) ? {} : { request }
}

function same(one: ShownRequest, other: ShownRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
