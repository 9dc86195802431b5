import { Anchor, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolCall } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { ReviewPane } from '../inbox/review-pane.tsx'
import { ResultPart } from '../inbox/sampling/block-view.tsx'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import lists from '../parts/list.module.css'
import { Ago } from '../parts/moment.tsx'
import { ServerText } from '../parts/server-text.tsx'
import classes from './try-it.module.css'
import { FaultText } from '../parts/fault-text.tsx'

/** A call as it goes on: the question it raises opens in place, then its result. */
export function CallCard({ call }: { readonly call: ToolCall }): ReactNode {
  const { t } = useTranslation()
  const { reviews } = useDesk()
  const cancel = useAct('tools/cancel')
  const open = call.reviews.find((id) => reviews.get(id) && !reviews.get(id)!.ended)
  const { state, result, fault, progress } = call
  return (
    <article className={classes['call']}>
      <header className={classes['head']}>
        <b role="status">{t(`tryIt.state.${result?.isError === true ? 'failed' : state}`)}</b>
        <span className={lists['side']}>
          <Ago at={call.startedAt} />
        </span>
        {progress?.message !== undefined && (
          <span className={lists['side']}>
            <ServerText text={progress.message} maximum={120} />
          </span>
        )}
        <span className={classes['grow']} />
        {state === 'running' && (
          <Button size="compact-xs" variant="default" onClick={() => cancel.mutate({ id: call.id })}>
            {t('tryIt.cancel')}
          </Button>
        )}
      </header>
      {open !== undefined && (
        <>
          <p className={lists['side']}>
            {t('tryIt.question')} · <Anchor href={`#/inbox/${encodeURIComponent(open)}`}>{t('tryIt.open')}</Anchor>
          </p>
          <div className={classes['question']} id="pane">
            <ReviewPane key={open} id={open} nextOf={() => undefined} onDecided={() => undefined} onBack={() => undefined} />
          </div>
        </>
      )}
      {fault && (
        <p className={classes['error']}>
          <FaultText fault={fault} maximum={600} />
        </p>
      )}
      {result && (
        <>
          {result.isError && <p className={classes['error']}>{t('tryIt.resultError')}</p>}
          {result.content.map((part, index) => (
            <ResultPart key={index} part={part} />
          ))}
          {result.structuredContent !== undefined && (
            <Folded title={t('tryIt.structured')}>
              <JsonBlock value={result.structuredContent} label={t('tryIt.structured')} />
            </Folded>
          )}
        </>
      )}
    </article>
  )
}
