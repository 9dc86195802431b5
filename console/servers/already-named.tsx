import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlreadyNamed as Named } from '../../src/console-api/contract.ts'
import { ServerText, visibleText } from '../parts/server-text.tsx'

/** What the config says of servers that are not in it yet: it would hold for the new ones, and nobody should learn that later. */
export function AlreadyNamed({ named = [] }: { readonly named?: readonly Named[] | undefined }): ReactNode {
  const { t } = useTranslation()
  return named.map(({ server, folders, rules, settings }) => (
    <Alert key={server} color="orange" variant="light" role="alert" title={t('servers.alreadyNamed', { server: visibleText(server, 60) })}>
      <ul>
        {folders.map((folder) => (
          <li key={folder}>
            {t('servers.namedFolder')}: <ServerText text={folder} maximum={300} />
          </li>
        ))}
        {rules.map((rule, index) => (
          <li key={index}>
            {t('servers.namedRule')}: <ServerText text={JSON.stringify(rule)} maximum={300} />
          </li>
        ))}
        {settings && <li>{t('servers.namedSettings')}</li>}
      </ul>
    </Alert>
  ))
}
