import { ActionIcon, Button, CloseButton, Code } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ToolCall } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { ResultPart } from '../inbox/sampling/block-view.tsx'
import { Folded } from '../parts/folded.tsx'
import { Failure } from '../parts/page.tsx'
import { Quote } from '../parts/quote.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'
import { useShortcuts } from '../parts/use-shortcuts.ts'
import { SERVER, steps } from './steps.ts'
import classes from './tour.module.css'
import { useStep, type CurrentStep } from './use-step.ts'

/**
 * The tour of the demo: a strip above the screen, in the way of nothing. It has room of its own, so that it covers no button,
 * and takes no focus that it was not given. On a small screen it folds itself to a line while the question that it led to is answered.
 */
export function Tour(): ReactNode {
  const { t } = useTranslation()
  const { preferences } = useDesk()
  const keep = useAct('preferences/set')
  const strip = useRef<HTMLElement>(null)
  const current = useStep()
  const { step, index, state, call } = current
  const close = (): void => keep.mutate({ ...preferences, tourSeen: true })
  const [location] = useLocation()
  // A wide inbox opens the question by itself.
  const isWide = useMediaQuery('(min-width: 768px)', true, { getInitialValueInEffect: false })
  const isThere = location === current.question || (isWide && (location === '/' || location.startsWith('/inbox')))
  const [toggledAt, setToggledAt] = useState<string>()
  const isFolded = !isWide && isThere && toggledAt !== location
  useShortcuts({ t: () => strip.current?.focus() })
  return (
    <aside ref={strip} className={classes['tour']} aria-label={t('tour.label')} tabIndex={-1}>
      <div className={classes['head']}>
        <Progress index={index} />
        <h2 className={classes['title']}>{t(`tour.steps.${step.name}.title`)}</h2>
        {!isWide && isThere && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={!isFolded}
            aria-label={t('tour.words')}
            onClick={() => setToggledAt(isFolded ? location : undefined)}
          >
            {isFolded ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
          </ActionIcon>
        )}
        <CloseButton className={classes['close']} size="sm" aria-label={t('tour.close')} title={t('tour.close')} onClick={close} />
      </div>
      <div className={classes['body']} hidden={isFolded}>
        <div className={classes['words']}>
          <p>
            <Slotted text={t(`tour.steps.${step.name}.text`, { server: SERVER, command: slot('command') })} slots={{ command: <Code>consentry up</Code> }} />
          </p>
          <p className={classes['state']} role="status" data-state={state}>
            {state === 'told' || state === 'ready' ? '' : t(`tour.states.${state}`, { server: SERVER })}
          </p>
          {call !== undefined && (state === 'done' || state === 'failed') && <Outcome key={call.id} call={call} />}
          {step.name === 'folders' && state === 'done' && <p>{t('tour.steps.folders.again', { server: SERVER })}</p>}
          <Failure error={current.error} />
        </div>
        {/* What was pressed may vanish: whoever came by keyboard stays in the tour. */}
        <div className={classes['actions']} onClick={() => strip.current?.focus({ preventScroll: true })}>
          <Actions {...current} isThere={isThere} onFinish={close} />
        </div>
      </div>
    </aside>
  )
}

function Progress({ index }: { readonly index: number }): ReactNode {
  const { t } = useTranslation()
  if (index === 0) return null
  const count = steps.length - 1
  return (
    <p className={classes['progress']}>
      <span aria-hidden className={classes['marks']}>
        {steps.slice(1).map(({ name }, place) => (
          <span key={name} className={classes['mark']} data-passed={place < index || undefined} />
        ))}
      </span>
      {t('tour.progress', { step: index, count })}
    </p>
  )
}

/** What can be done now: one thing that goes on, and what goes around it. */
function Actions({
  step,
  index,
  state,
  go,
  ask,
  question,
  isThere,
  onFinish,
}: CurrentStep & { readonly isThere: boolean; readonly onFinish: () => void }): ReactNode {
  const { t } = useTranslation()
  const [location, goTo] = useLocation()
  const isOver = state === 'done' || state === 'failed'
  const next = (
    <Button size="compact-md" variant={isOver ? 'filled' : 'default'} onClick={() => go(1)}>
      {t('tour.next')}
    </Button>
  )
  if (step.name === 'welcome') {
    return (
      <Button size="compact-md" onClick={() => go(1)}>
        {t('tour.start')}
      </Button>
    )
  }
  return (
    <>
      {index > 1 && (
        <Button size="compact-md" variant="subtle" color="gray" onClick={() => go(-1)}>
          {t('tour.back')}
        </Button>
      )}
      {step.name === 'log' && (
        <>
          <Button size="compact-md" variant={location === '/audit' ? 'default' : 'filled'} onClick={() => goTo('/audit')}>
            {t('tour.openLog')}
          </Button>
          <Button size="compact-md" variant={location === '/audit' ? 'filled' : 'default'} onClick={onFinish}>
            {t('tour.finish')}
          </Button>
        </>
      )}
      {question !== undefined && !isThere && (
        <Button size="compact-md" onClick={() => goTo(question)}>
          {t('tour.answer')}
        </Button>
      )}
      {(state === 'broken' || (step.name === 'folders' && state === 'done')) && (
        <Button size="compact-md" variant={state === 'broken' ? 'filled' : 'default'} onClick={() => goTo(`/servers/${SERVER}`)}>
          {t('tour.look', { server: SERVER })}
        </Button>
      )}
      {isOver && (
        <Button size="compact-md" variant="default" onClick={ask}>
          {t('tour.again')}
        </Button>
      )}
      {step.name !== 'log' && next}
      {(state === 'ready' || state === 'starting') && (
        <Button size="compact-md" disabled={state === 'starting'} onClick={ask}>
          {t('tour.ask', { server: SERVER })}
        </Button>
      )}
    </>
  )
}

/** What the server made of the answer, in its own words. */
function Outcome({ call: { result, fault } }: { readonly call: ToolCall }): ReactNode {
  const { t } = useTranslation()
  return (
    <Folded title={t('tour.outcome', { server: SERVER })}>
      <div className={classes['outcome']}>
        <Quote server={SERVER} text={fault?.message}>
          {result?.content.map((part, index) => (
            <ResultPart key={index} part={part} />
          ))}
        </Quote>
      </div>
    </Folded>
  )
}
