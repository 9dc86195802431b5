import { SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LimitsInput } from '../../src/console-api/contract.ts'

type LimitName = keyof LimitsInput

const names: readonly LimitName[] = ['requestsPerMinute', 'tokensPerDay', 'costPerDay', 'tokensPerRun', 'costPerRun', 'toolRounds', 'atOnce']

/** What is typed for each limit; empty is no limit. */
export type WrittenLimits = { readonly [Name in LimitName]?: string }

export function writtenLimits(limits: LimitsInput = {}): WrittenLimits {
  return Object.fromEntries(Object.entries(limits).map(([name, amount]) => [name, amount === undefined ? '' : String(amount)]))
}

/** What was typed, as amounts; undefined where something is no amount. */
export function readLimits(written: WrittenLimits): LimitsInput | undefined {
  const typed = Object.entries(written).filter(([, text]) => text.trim() !== '')
  return typed.every(([, text]) => isAmount(text)) ? Object.fromEntries(typed.map(([name, text]) => [name, Number(text)])) : undefined
}

interface LimitFieldsProps {
  readonly written: WrittenLimits
  readonly onWrite: (written: WrittenLimits) => void
}

/** An amount for each thing that can be limited, two in a row where there is room. */
export function LimitFields({ written, onWrite }: LimitFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {names.map((name) => {
        const text = written[name] ?? ''
        return (
          <TextInput
            key={name}
            label={`${t(`budget.names.${name}`)}${name.startsWith('cost') ? ' (USD)' : ''}`}
            placeholder={t('servers.rule.noLimit')}
            inputMode="decimal"
            value={text}
            error={text.trim() !== '' && !isAmount(text) ? t('servers.rule.noAmount') : undefined}
            onChange={(event) => onWrite({ ...written, [name]: event.currentTarget.value })}
          />
        )
      })}
    </SimpleGrid>
  )
}

function isAmount(text: string): boolean {
  return /^\s*\d+(\.\d+)?\s*$/u.test(text)
}
