import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { chooseLanguage } from '../language/language.ts'
import { languages } from '../language/load-catalogue.ts'

const short: Readonly<Record<Language, string>> = { en: 'EN', ko: '한', zh: '中' }

export function LanguageMenu(): ReactNode {
  const { t, i18n } = useTranslation()
  const { preferences } = useDesk()
  const current = i18n.language as Language
  const choose = (language: Language): void => {
    void chooseLanguage(language)
    void call('preferences/set', { ...preferences, language }).catch(() => undefined)
  }
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          px={6}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${short[current]} · ${t('shell.language')}: ${languages[current]}`}
        >
          {short[current]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language === 'zh' ? 'zh-Hans' : language}
            aria-current={language === current || undefined}
            rightSection={language === current ? <IconCheck size={16} aria-hidden /> : undefined}
            onClick={() => choose(language)}
          >
            {languages[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
