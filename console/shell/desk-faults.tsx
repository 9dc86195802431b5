import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesk } from '../desk/use-desk.ts'
import { FaultText } from '../parts/fault-text.tsx'

/** What is broken at the desk itself, what that means, and what to do. */
export function DeskFaults(): ReactNode {
  const { t } = useTranslation()
  const { desk } = useDesk()
  const faults = [
    ['audit', desk.auditFault],
    ['config', desk.configFault],
  ] as const
  return faults.map(
    ([name, fault]) =>
      fault && (
        <Alert
          key={name}
          variant="light"
          color="orange"
          radius={0}
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={t(`shell.faults.${name}.title`)}
          role="alert"
        >
          {t(`shell.faults.${name}.text`)} <FaultText fault={fault} isExplained={fault.code === 'AUDIT_UNAVAILABLE'} />
        </Alert>
      ),
  )
}
