import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconMoon, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../desk/call.ts'
import { useDesk } from '../desk/use-desk.ts'

const schemes = ['light', 'dark', 'auto'] as const
const names = { light: 'shell.lightTheme', dark: 'shell.darkTheme', auto: 'shell.systemTheme' } as const

export function ThemeMenu(): ReactNode {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { preferences } = useDesk()
  const choose = (scheme: (typeof schemes)[number]): void => {
    setColorScheme(scheme)
    void call('preferences/set', { ...preferences, theme: scheme === 'auto' ? undefined : scheme }).catch(() => undefined)
  }
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${t('shell.theme')}: ${t(names[colorScheme])}`}>
          {colorScheme === 'dark' ? <IconMoon size={20} stroke={1.6} aria-hidden /> : <IconSun size={20} stroke={1.6} aria-hidden />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            aria-current={scheme === colorScheme || undefined}
            rightSection={scheme === colorScheme ? <IconCheck size={16} aria-hidden /> : undefined}
            onClick={() => choose(scheme)}
          >
            {t(names[scheme])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
