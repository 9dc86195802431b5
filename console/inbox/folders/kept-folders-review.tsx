import { Alert, Checkbox, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDetail } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { ServerText, visibleText } from '../../parts/server-text.tsx'
import { DecisionBar } from '../decision-bar.tsx'
import { ReviewBody } from '../review-body.tsx'
import type { Deciding } from '../use-decision.ts'
import classes from './kept-folders-review.module.css'

interface KeptFoldersReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'kept-folders' }>
  readonly deciding: Deciding
}

/** A server that goes on in folders which it should not use any more: what is to be done about it? */
export function KeptFoldersReview({ review, deciding }: KeptFoldersReviewProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const [isRemembered, setRemembered] = useState(false)
  const { reason, known, canRestart, done, fault } = review.subject
  const found = done === 'stand-in' ? 'stand-in-told' : reason
  const decide = (action: 'stand-in' | 'restart' | 'leave') => () => deciding.decide({ action, ...(isRemembered && { remember: {} }) })
  const end = { label: t('folders.kept.end'), help: t('folders.kept.endHelp'), onDecide: () => deciding.decide({ action: 'end' }) }
  const standIn = { label: t('folders.kept.standIn'), help: t('folders.kept.standInHelp'), onDecide: decide('stand-in') }
  const restart = { label: t('folders.kept.restart'), help: t('folders.kept.restartHelp'), onDecide: decide('restart') }
  const keep = { label: t('folders.kept.keepStandIn'), help: t('folders.kept.keepStandInHelp'), onDecide: decide('stand-in') }
  const leave = done === 'stand-in' ? keep : { label: t('folders.kept.leave'), help: t('folders.kept.leaveHelp'), onDecide: decide('leave') }
  const standIns = reason === 'none-told' && done === 'nothing' ? [standIn] : []
  const ends = fault === undefined ? [] : [end]
  const [first, ...others] = [...(canRestart ? [restart] : []), ...standIns, ...ends]
  const ways = [first, ...others, leave].filter((way) => way !== undefined)
  return (
    <>
      <ReviewBody>
        <Text>{t(`folders.kept.${found}`)}</Text>
        <JsonBlock value={known} label={visibleText(t(`folders.kept.${found}`), 200)} />
        {fault !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {t('folders.kept.notRestarted')}{' '}
            <code lang="en">
              <ServerText text={fault} maximum={1000} />
            </code>
          </Alert>
        )}
        <dl className={classes['ways']}>
          {ways.map(({ label, help }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
        <Checkbox label={t('folders.kept.remember')} checked={isRemembered} onChange={(event) => setRemembered(event.currentTarget.checked)} />
        {deciding.faults.map(({ problem, message, facts }) => (
          <Alert key={problem} color="red" variant="light" role="alert">
            {say({ key: problem, sentence: message, facts })}
          </Alert>
        ))}
      </ReviewBody>
      <DecisionBar asker={review.asker} deciding={deciding} yes={first} others={others} no={leave} />
    </>
  )
}
