import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { waitingOf } from '../desk/desk-view.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { ConnectionState } from './connection-state.tsx'
import classes from './navigation.module.css'
import { screens } from './screens.ts'

/** All screens, how many questions wait, and how it stands with the desk. */
export function Navigation({ onGo }: { readonly onGo?: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation()
  const [location] = useLocation()
  const waiting = waitingOf(useDesk()).length
  const isCurrent = (path: string): boolean => location === path || location.startsWith(`${path}/`) || (path === '/inbox' && location === '/')
  return (
    <nav className={classes['navigation']} aria-label={t('shell.navigation')}>
      <ul className={classes['list']}>
        {screens.map(({ name, path, icon: Icon }) => (
          <li key={name}>
            <Link href={path} className={classes['link']} aria-current={isCurrent(path) ? 'page' : undefined} onClick={onGo} title={t(`shell.screens.${name}`)}>
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={classes['name']}>{t(`shell.screens.${name}`)}</span>
              {name === 'inbox' && waiting > 0 && (
                <span className={classes['count']} aria-label={t('inbox.waitingCount', { count: waiting })}>
                  {waiting > 999 ? '999+' : waiting}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <TourSwitch onGo={onGo} />
        <ConnectionState />
      </div>
    </nav>
  )
}

/** Brings back the tour of the demo, where it was closed. */
function TourSwitch({ onGo }: { readonly onGo: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation()
  const { desk, preferences } = useDesk()
  const keep = useAct('preferences/set')
  if (!desk.demo || preferences.tourSeen !== true) return null
  const open = (): void => {
    keep.mutate({ ...preferences, tourSeen: false })
    onGo?.()
  }
  return (
    <Button fullWidth size="compact-sm" variant="subtle" leftSection={<IconRoute size={16} aria-hidden />} onClick={open}>
      {t('tour.open')}
    </Button>
  )
}
