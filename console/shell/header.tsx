import { ActionIcon, CloseButton, Switch, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconKeyboard, IconMenu2 } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../desk/call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Failure } from '../parts/page.tsx'
import classes from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { Wordmark } from './wordmark.tsx'

interface HeaderProps {
  readonly onMenu: () => void
  readonly onHelp: () => void
}

export function Header({ onMenu, onHelp }: HeaderProps): ReactNode {
  const { t } = useTranslation()
  return (
    <header className={classes['header']}>
      <ActionIcon className={classes['menu']} variant="subtle" color="gray" size="lg" onClick={onMenu} aria-label={t('shell.menu')}>
        <IconMenu2 size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Wordmark />
      <div className={classes['tools']}>
        <AlwaysAsk />
        <NotificationBell />
        <LanguageMenu />
        <ThemeMenu />
        <Tooltip label={t('shell.help.open')}>
          <ActionIcon
            className={classes['keys']}
            variant="subtle"
            color="gray"
            size="lg"
            onClick={onHelp}
            aria-label={t('shell.help.open')}
            aria-keyshortcuts="?"
          >
            <IconKeyboard size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  )
}

/** In plain sight on every screen: whether anything but a person may answer. */
function AlwaysAsk(): ReactNode {
  const { t } = useTranslation()
  const { desk } = useDesk()
  const help = useId()
  // Moves in the very moment in which it is pressed, and goes back where the desk did not take it.
  const [wanted, setWanted] = useState<boolean>()
  const set = useMutation({ mutationFn: (on: boolean) => call('always-ask/set', { on }), onSettled: () => setWanted(undefined) })
  const isOn = wanted ?? desk.alwaysAsk
  const isUnwritten = set.isError || set.data?.status === 'refused'
  return (
    <>
      <Tooltip label={t('shell.alwaysAskHelp')} multiline w={280} disabled={isUnwritten}>
        <div>
          <Switch
            size="sm"
            labelPosition="left"
            label={t('shell.alwaysAsk')}
            aria-describedby={help}
            checked={isOn}
            onChange={({ currentTarget: { checked } }) => {
              setWanted(checked)
              set.mutate(checked)
            }}
          />
          <span id={help} hidden>
            {t('shell.alwaysAskHelp')}
          </span>
        </div>
      </Tooltip>
      {isUnwritten && (
        <div className={classes['unwritten']}>
          <ChangeOutcome change={set.data} />
          <Failure error={set.error} />
          {isOn && <p>{t('shell.alwaysAskUnwritten')}</p>}
          <CloseButton aria-label={t('common.close')} onClick={() => set.reset()} />
        </div>
      )}
    </>
  )
}
