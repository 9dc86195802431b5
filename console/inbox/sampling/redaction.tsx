import { Button } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RedactedPart } from '../../../src/console-api/contract.ts'
import classes from './redaction.module.css'

interface RedactionProps {
  readonly parts: readonly RedactedPart[]
  /** It was put back by the person. */
  readonly isBack: boolean
  /** Something was to be put back whose place is not known any more. */
  readonly isUnclear: boolean
  readonly onToggle: (back: boolean) => void
}

/** What was taken out before anybody saw it; whoever wants it to go to the model puts it back. */
export function Redaction({ parts, isBack, isUnclear, onToggle }: RedactionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={classes['redaction']}>
      <IconEyeOff size={17} aria-hidden />
      <div className={classes['words']}>
        <p>{t('sampling.redacted', { count: parts.length })}</p>
        <p className={classes['parts']}>{parts.map(({ path, kinds }) => `${path}: ${kinds.join(', ')}`).join(' · ')}</p>
        {isUnclear && <p role="status">{t('sampling.unclear')}</p>}
      </div>
      <Button size="compact-sm" variant="default" onClick={() => onToggle(!isBack)}>
        {isBack ? t('sampling.takeOut') : t('sampling.putBack')}
      </Button>
    </div>
  )
}
