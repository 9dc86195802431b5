import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asker } from '../../src/console-api/contract.ts'
import { DecisionButton } from '../parts/decision-button.tsx'
import { FaultText } from '../parts/fault-text.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'
import { modKey, useShortcuts } from '../parts/use-shortcuts.ts'
import classes from './decision-bar.module.css'
import type { Deciding } from './use-decision.ts'

interface Choice {
  readonly label: string
  readonly help?: string | undefined
  readonly onDecide: () => void
}

interface DecisionBarProps {
  readonly asker: Asker
  readonly deciding: Deciding
  /** What sends or approves; absent where nothing can be sent yet. `more`: further ways; empty where there are none yet, so that their place is kept. */
  readonly yes?: (Choice & { readonly more?: readonly Choice[] | undefined; readonly isOff?: boolean | undefined }) | undefined
  readonly no?: (Choice & { readonly more?: readonly Choice[] | undefined }) | undefined
  /** Further ways, between no and yes. */
  readonly others?: readonly Choice[] | undefined
  /** What decides nothing yet, such as writing an answer. */
  readonly extra?: ReactNode
}

/** The buttons that decide, in the same place for every kind of question; each can be reached by one key. */
export function DecisionBar({ asker, deciding, yes, no, others = [], extra }: DecisionBarProps): ReactNode {
  const { t } = useTranslation()
  const help = useId()
  const { isAsleep, isPending, decide } = deciding
  const server = visibleText(asker.server, 60)
  const guarded = (act: (() => void) | undefined): (() => void) | undefined => (isAsleep ? undefined : act)
  const cancel = (): void => decide({ action: 'cancel' })
  useShortcuts({ 'Mod+Enter': guarded(yes?.isOff ? undefined : yes?.onDecide), d: guarded(no?.onDecide), Escape: guarded(cancelOrLeaveField(cancel)) })
  return (
    <footer className={classes['bar']} data-bar>
      {deciding.failure && (
        <p className={classes['failure']} role="alert">
          {deciding.failure.isUnreachable ? (
            t('inbox.retryDecision')
          ) : (
            <Slotted text={t('common.failed', { reason: slot('reason') })} slots={{ reason: <FaultText fault={deciding.failure} /> }} />
          )}
        </p>
      )}
      <DecisionButton
        isAsleep={isAsleep}
        onDecide={cancel}
        variant="subtle"
        color="gray"
        keys="Escape"
        describedBy={`${help}-cancel`}
        rightSection={<Key name="Esc" />}
      >
        {t('common.cancel')}
      </DecisionButton>
      <span id={`${help}-cancel`} hidden>
        {t('inbox.cancelHelp', { server })}
      </span>
      <Menu position="top-start" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('inbox.moreWays')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown maw={340}>
          <MenuChoice
            choice={{
              label: t('inbox.stopAsking'),
              help: t('inbox.stopAskingHelp', { server }),
              onDecide: () => decide({ action: 'cancel', stopAsking: true }),
            }}
            isAsleep={isAsleep}
          />
          {no?.more?.map((choice) => (
            <MenuChoice key={choice.label} choice={choice} isAsleep={isAsleep} />
          ))}
        </Menu.Dropdown>
      </Menu>
      <div className={classes['space']} />
      {no && (
        <>
          <DecisionButton isAsleep={isAsleep} onDecide={no.onDecide} variant="default" keys="d" describedBy={`${help}-no`} rightSection={<Key name="d" />}>
            {no.label}
          </DecisionButton>
          <span id={`${help}-no`} hidden>
            {no.help}
          </span>
        </>
      )}
      {others.map(({ label, onDecide }) => (
        <DecisionButton key={label} isAsleep={isAsleep} onDecide={onDecide} variant="default">
          {label}
        </DecisionButton>
      ))}
      {extra}
      {yes && (
        <Button.Group className={classes['yes']}>
          <DecisionButton
            className={classes['send']}
            isAsleep={isAsleep || yes.isOff === true}
            onDecide={yes.onDecide}
            loading={isPending}
            keys="Control+Enter Meta+Enter"
            rightSection={<Key name={`${modKey} ↵`} />}
          >
            {yes.label}
          </DecisionButton>
          {yes.more && (
            <Menu position="top-end" withinPortal={false}>
              <Menu.Target>
                <Button px={8} className={classes['chevron']} aria-label={t('inbox.moreYes')} disabled={yes.more.length === 0}>
                  <IconChevronDown size={16} aria-hidden />
                </Button>
              </Menu.Target>
              <Menu.Dropdown maw={340}>
                {yes.more.map((choice) => (
                  <MenuChoice key={choice.label} choice={choice} isAsleep={isAsleep} />
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Button.Group>
      )}
    </footer>
  )
}

function MenuChoice({ choice: { label, help, onDecide }, isAsleep }: { readonly choice: Choice; readonly isAsleep: boolean }): ReactNode {
  return (
    <Menu.Item
      onClick={() => {
        if (!isAsleep) onDecide()
      }}
    >
      {label}
      {help && <span className={classes['help']}>{help}</span>}
    </Menu.Item>
  )
}

function Key({ name }: { readonly name: string }): ReactNode {
  return (
    <span className={classes['key']} aria-hidden>
      {name}
    </span>
  )
}

/** The first Escape leaves the field that one types in; only the next one closes the question. */
function cancelOrLeaveField(cancel: () => void): () => void {
  return () => {
    const focused = document.activeElement
    if (focused instanceof HTMLElement && focused.matches('input, textarea, select')) focused.blur()
    else cancel()
  }
}
