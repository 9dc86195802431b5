import { Alert, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { Folded } from '../../parts/folded.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Quote } from '../../parts/quote.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { DecisionBar } from '../decision-bar.tsx'
import { ReviewBody } from '../review-body.tsx'
import { WillBeSent } from '../will-be-sent.tsx'
import type { Deciding } from '../use-decision.ts'
import { contentOf, shownContent, standingContent } from './answers.ts'
import { FormField } from './form-field.tsx'
import { RescuedNote } from './rescued-note.tsx'
import { useForm } from './use-form.ts'

const RuleDialog = lazy(async () => ({ default: (await import('../../rules/rule-dialog.tsx')).RuleDialog }))

interface FormReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'form' }>
  readonly deciding: Deciding
}

/** A form as its server wrote it, and under it exactly what goes out. */
export function FormReview({ review, deciding }: FormReviewProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const { form, message, because, fingerprint } = review.subject
  const [isStanding, setStanding] = useState(false)
  const { server } = review.asker
  const state = useForm(review, deciding.faults)
  const body = useRef<HTMLDivElement>(null)
  const { faults } = deciding
  useEffect(() => {
    if (faults.length > 0) body.current?.querySelector<HTMLElement>('[data-faulty] :is(input, textarea, select)')?.focus()
  }, [faults])

  const send = (): void => deciding.decide({ action: 'accept', content: contentOf(state.answers) })
  // A rule is for a name that the user gave, and for exactly one form, with values that fit; and what looks like a secret is written into no file.
  const mayStand = review.asker.named && fingerprint !== undefined && form.fields.every(({ secret }) => secret === undefined)
  const always = {
    label: t('inbox.alwaysLikeThis'),
    help: t('inbox.alwaysLikeThisHelp', { server: visibleText(server, 60) }),
    onDecide: () => setStanding(true),
  }

  return (
    <>
      <ReviewBody ref={body}>
        {review.rescuedAt !== undefined && <RescuedNote at={review.rescuedAt} server={server} />}
        <Quote server={server} text={message} />
        {[...(because ? [because] : []), ...form.notes].map((phrase) => (
          <Text key={phrase.key + phrase.sentence} c="dimmed" fz="sm">
            <IconInfoCircle size={15} style={{ verticalAlign: -2 }} aria-hidden /> {say(phrase)}
          </Text>
        ))}
        {form.fields.length > 0 && (
          <Stack gap="lg" role="group" aria-label={t('inbox.kinds.form')}>
            {form.fields.map((field) => (
              <FormField
                key={field.name}
                field={field}
                server={server}
                answer={state.answers.get(field.name)}
                isTouched={state.answers.has(field.name)}
                fault={state.faultOf(field.name)}
                onAnswer={(value) => state.set(field.name, value)}
                onLeave={() => state.leave(field.name)}
              />
            ))}
          </Stack>
        )}
        {faults.length > 0 && (
          <Alert color="red" variant="light" role="alert">
            {t('form.faultsOpen', { count: faults.length })}
          </Alert>
        )}
        <Folded title={t('form.schema')}>
          <JsonBlock value={form.schema} label={t('form.schema')} />
        </Folded>
      </ReviewBody>
      <WillBeSent server={server} summary={JSON.stringify(shownContent(form, state.answers))}>
        {form.fields.length === 0 ? (
          <Text fz="sm">{t('inbox.nothingButYes')}</Text>
        ) : (
          <JsonBlock value={shownContent(form, state.answers)} label={t('inbox.willBeSent', { server: visibleText(server, 60) })} />
        )}
      </WillBeSent>
      <DecisionBar
        asker={review.asker}
        deciding={deciding}
        yes={{ label: t('common.send'), onDecide: send, more: mayStand ? (state.isReady ? [always] : []) : undefined }}
        no={{
          label: t('common.decline'),
          help: t('inbox.declineHelp', { server: visibleText(server, 60) }),
          onDecide: () => deciding.decide({ action: 'decline' }),
        }}
      />
      {isStanding && (
        <Suspense>
          <RuleDialog
            edited={{
              rule: {
                server,
                request: 'elicitation',
                mode: 'form',
                message: { exactly: message },
                schema: fingerprint,
                decision: 'allow',
                content: standingContent(form, state.answers),
              },
              first: true,
            }}
            server={server}
            onClose={() => setStanding(false)}
            onWritten={send}
          />
        </Suspense>
      )}
    </>
  )
}
