import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfigChange } from '../../src/console-api/contract.ts'
import { visibleText } from './server-text.tsx'

/** Why the config was not changed; nothing where it was. */
export function ChangeOutcome({ change }: { readonly change: ConfigChange | undefined }): ReactNode {
  const { t } = useTranslation()
  if (change === undefined) return null
  if (change.status !== 'refused' && change.status !== 'stale') return null
  return (
    <Alert color="red" variant="light" role="alert">
      {change.status === 'stale' ? t('servers.stale') : t('servers.refused', { reason: visibleText(change.fault.message, 400) })}
    </Alert>
  )
}
