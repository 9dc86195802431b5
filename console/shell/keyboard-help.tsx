import { Kbd, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useDesk } from '../desk/use-desk.ts'
import { Dialog } from '../parts/dialog.tsx'
import { modKey, useShortcuts } from '../parts/use-shortcuts.ts'
import classes from './keyboard-help.module.css'
import { screens } from './screens.ts'

interface KeyboardHelpProps {
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** Every key there is; `?` opens it on every screen. */
export function KeyboardHelp({ isOpen, onOpen, onClose }: KeyboardHelpProps): ReactNode {
  const { t } = useTranslation()
  const [, go] = useLocation()
  const hasTour = useDesk().desk.demo
  useShortcuts({ '?': onOpen, ...Object.fromEntries(screens.map(({ key, path }) => [key, () => go(path)])) })
  const keys: readonly (readonly [readonly string[], string])[] = [
    [['j', '↓'], t('shell.help.next')],
    [['k', '↑'], t('shell.help.previous')],
    [['f'], t('shell.help.first')],
    [[`${modKey} ↵`], t('shell.help.send')],
    [['d'], t('shell.help.decline')],
    [['Esc'], t('shell.help.cancel')],
    [['u'], t('shell.help.list')],
    ...screens.map(({ key, name }) => [[key], t(`shell.screens.${name}`)] as const),
    ...(hasTour ? [[['t'], t('shell.help.tour')] as const] : []),
    [['?'], t('shell.help.help')],
  ]
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('shell.help.title')}>
      <dl className={classes['keys']}>
        {keys.map(([names, meaning]) => (
          <div key={meaning} className={classes['line']}>
            <dt>
              {names.map((name) => (
                <Kbd key={name} mr={4}>
                  {name}
                </Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Text c="dimmed" fz="xs" mt="sm">
        {t('shell.help.note')}
      </Text>
    </Dialog>
  )
}
