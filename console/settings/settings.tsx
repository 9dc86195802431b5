import { Button, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { chooseLanguage } from '../language/language.ts'
import { languages } from '../language/load-catalogue.ts'
import { formatDuration, formatMoment } from '../parts/moment.tsx'
import { Failure, Loading, Page, Section } from '../parts/page.tsx'
import lists from '../parts/list.module.css'
import { ModelList } from './model-list.tsx'
import classes from './settings.module.css'

/** Language and appearance, the models, what this desk is, and the end of the session. */
export function Settings(): ReactNode {
  const { t } = useTranslation()
  const close = useAct('session/close')
  return (
    <Page title={t('settings.title')}>
      <Section title={t('settings.look')}>
        <Look />
      </Section>
      <ModelList />
      <Section title={t('settings.desk')}>
        <Desk />
      </Section>
      <Section title={t('settings.session')}>
        <p className={lists['none']}>{t('settings.signOutHelp')}</p>
        <div>
          <Button size="xs" variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={() => close.mutate({})}>
            {t('settings.signOut')}
          </Button>
        </div>
        <Failure error={close.error} />
      </Section>
    </Page>
  )
}

function Look(): ReactNode {
  const { t, i18n } = useTranslation()
  const { preferences } = useDesk()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const keep = useAct('preferences/set')
  return (
    <div className={classes['look']}>
      <NativeSelect
        label={t('shell.language')}
        value={i18n.language}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        onChange={(event) => {
          const language = event.currentTarget.value as Language
          void chooseLanguage(language)
          keep.mutate({ ...preferences, language })
        }}
      />
      <NativeSelect
        label={t('shell.theme')}
        value={colorScheme}
        data={[
          { value: 'auto', label: t('shell.systemTheme') },
          { value: 'light', label: t('shell.lightTheme') },
          { value: 'dark', label: t('shell.darkTheme') },
        ]}
        onChange={(event) => {
          const theme = event.currentTarget.value as 'auto' | 'light' | 'dark'
          setColorScheme(theme)
          keep.mutate({ ...preferences, theme: theme === 'auto' ? undefined : theme })
        }}
      />
    </div>
  )
}

function Desk(): ReactNode {
  const { t, i18n } = useTranslation()
  const { data, error } = useCall('desk/get', {})
  if (data === undefined) return <Loading error={error} />
  const facts = [
    [t('settings.version'), data.version],
    [t('settings.config'), data.configFile],
    [t('settings.state'), data.stateFolder],
    [t('settings.process'), String(data.pid)],
    [t('settings.started'), formatMoment(data.startedAt, i18n.language)],
    [t('settings.patience'), formatDuration(data.humanTimeoutMs, i18n.language)],
    [t('settings.idle'), formatDuration(data.sessionIdleMs, i18n.language)],
    [t('settings.windows'), String(data.windows)],
  ]
  return (
    <dl className={lists['facts']}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
