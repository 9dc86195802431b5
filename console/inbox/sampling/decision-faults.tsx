import { Alert, Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldFault } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'

/** Why a decision did not count; it is made again. */
export function DecisionFaults({ faults }: { readonly faults: readonly FieldFault[] }): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  if (faults.length === 0) return null
  return (
    <Alert color="red" variant="light" role="alert" title={t('sampling.faults')}>
      {faults.map(({ field, problem, message, facts }) => (
        <div key={field + problem}>
          <Code>{field}</Code> {say({ key: problem, sentence: message, facts })}
        </div>
      ))}
    </Alert>
  )
}
