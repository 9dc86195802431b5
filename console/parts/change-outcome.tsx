import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfigChange } from '../../src/console-api/contract.ts'
import { FaultText } from './fault-text.tsx'
import { showNow } from './show-now.ts'
import { Slotted, slot } from './slotted.tsx'

interface ChangeOutcomeProps {
  readonly change: ConfigChange | undefined
  /** It was written in a form that keeps what it was opened with. */
  readonly isForm?: boolean | undefined
}

/** Why the config was not changed; nothing where it was. */
export function ChangeOutcome({ change, isForm = false }: ChangeOutcomeProps): ReactNode {
  const { t } = useTranslation()
  if (change === undefined) return null
  if (change.status !== 'refused' && change.status !== 'stale') return null
  return (
    <Alert ref={showNow} color="red" variant="light" role="alert">
      {change.status === 'stale' ? (
        t(isForm ? 'servers.staleForm' : 'servers.stale')
      ) : (
        <Slotted text={t('servers.refused', { reason: slot('reason') })} slots={{ reason: <FaultText fault={change.fault} /> }} />
      )}
    </Alert>
  )
}
