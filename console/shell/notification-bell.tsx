import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBell, IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The browser asks for permission only after this was pressed. */
export function NotificationBell(): ReactNode {
  const { t } = useTranslation()
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'))
  const ask = (): void => void Notification.requestPermission().then(setPermission)
  const [label, Icon] =
    permission === 'granted'
      ? ([t('shell.notifications.on'), IconBellRinging] as const)
      : permission === 'denied'
        ? ([t('shell.notifications.blocked'), IconBellOff] as const)
        : ([t('shell.notifications.ask'), IconBell] as const)
  return (
    <Tooltip label={permission === 'default' ? `${label} — ${t('shell.notifications.help')}` : label} multiline maw={280}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        aria-disabled={permission !== 'default' || undefined}
        onClick={permission === 'default' ? ask : undefined}
      >
        <Icon size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
