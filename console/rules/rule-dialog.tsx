import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleRow } from '../../src/console-api/contract.ts'
import { Dialog } from '../parts/dialog.tsx'
import { RuleForm, type EditedRule } from './rule-form.tsx'

interface RuleDialogProps {
  readonly edited: EditedRule | undefined
  /** As they stand in the config now; absent where none of them is changed. */
  readonly rules?: readonly RuleRow[] | undefined
  /** The server whose rules are looked at. */
  readonly server: string
  readonly onClose: () => void
  /** The rule stands in the config. */
  readonly onWritten?: (() => void) | undefined
}

/** Writes one rule: what is asked, what to do, until when, and how much. */
export function RuleDialog({ edited, rules = [], server, onClose, onWritten }: RuleDialogProps): ReactNode {
  const { t } = useTranslation()
  const title = edited?.rule.content !== undefined && edited.index === undefined ? 'standing' : edited?.index === undefined ? 'add' : 'change'
  const done = (): void => {
    onClose()
    onWritten?.()
  }
  return (
    <Dialog isOpen={edited !== undefined} onClose={onClose} title={t(`servers.rule.${title}`)}>
      {edited !== undefined && <RuleForm edited={edited} rules={rules} server={server} onDone={done} />}
    </Dialog>
  )
}
