import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleInput } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/page.tsx'
import { ChangeOutcome } from './change-outcome.tsx'

/** A rule with its place in the config. */
export interface EditedRule {
  readonly index: number
  readonly rule: RuleInput
}

interface RuleDialogProps {
  readonly edited: EditedRule | 'new' | undefined
  readonly server: string
  readonly onClose: () => void
}

/** Writes one rule: what is asked, what to do, until when, and how much. */
export function RuleDialog({ edited, server, onClose }: RuleDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={edited !== undefined} onClose={onClose} title={edited === 'new' ? t('servers.rule.add') : t('servers.rule.change')}>
      {edited !== undefined && <RuleForm edited={edited} server={server} onDone={onClose} />}
    </Dialog>
  )
}

const requests = ['elicitation', 'sampling', 'roots'] as const
const decisions = ['ask', 'allow', 'deny'] as const
const limitNames = { requestsPerMinute: 'requests', tokensPerDay: 'tokens', costPerDay: 'cost' } as const

function RuleForm({ edited, server, onDone }: { readonly edited: EditedRule | 'new'; readonly server: string; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const [rule, setRule] = useState<RuleInput>(edited === 'new' ? { server, decision: 'ask' } : edited.rule)
  const add = useAct('rules/add', ['servers/get'])
  const change = useAct('rules/change', ['servers/get'])
  const set = (part: Partial<RuleInput>): void => setRule((before) => ({ ...before, ...part }))
  const needsEnd = rule.decision === 'allow' && rule.until === undefined && rule.limits === undefined
  const save = (): void => {
    const onSuccess = ({ status }: { readonly status: string }): void => void (status === 'changed' && onDone())
    if (edited === 'new') add.mutate({ rule }, { onSuccess })
    else change.mutate({ index: edited.index, before: edited.rule, rule }, { onSuccess })
  }
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('servers.rule.request')}
        value={rule.request ?? ''}
        onChange={(event) => set({ request: requests.find((one) => one === event.currentTarget.value) })}
        data={[{ value: '', label: t('servers.rule.any') }, ...requests.map((value) => ({ value, label: t(`audit.requests.${value}`) }))]}
      />
      <NativeSelect
        label={t('servers.rule.decision')}
        value={rule.decision}
        onChange={(event) => set({ decision: decisions.find((one) => one === event.currentTarget.value) ?? 'ask' })}
        data={decisions.map((value) => ({ value, label: t(`servers.ruleDecisions.${value}`) }))}
      />
      <TextInput
        label={t('servers.rule.until')}
        type="date"
        value={rule.until ?? ''}
        onChange={(event) => set({ until: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
      />
      {(Object.keys(limitNames) as (keyof typeof limitNames)[]).map((name) => (
        <TextInput
          key={name}
          label={t(`servers.rule.${limitNames[name]}`)}
          inputMode="decimal"
          value={rule.limits?.[name] ?? ''}
          onChange={(event) => set({ limits: withLimit(rule.limits, name, event.currentTarget.value) })}
        />
      ))}
      {needsEnd && (
        <Alert color="orange" variant="light">
          {t('servers.rule.needsEnd')}
        </Alert>
      )}
      <ChangeOutcome change={add.data ?? change.data} />
      <Failure error={add.error ?? change.error} />
      <Group justify="flex-end">
        <Button disabled={needsEnd} loading={add.isPending || change.isPending} onClick={save}>
          {t('servers.write')}
        </Button>
      </Group>
    </Stack>
  )
}

function withLimit(limits: RuleInput['limits'], name: keyof typeof limitNames, typed: string): RuleInput['limits'] {
  const amount = Number(typed)
  const next = { ...limits, [name]: typed.trim() === '' || !Number.isFinite(amount) ? undefined : amount }
  return Object.values(next).every((value) => value === undefined) ? undefined : next
}
