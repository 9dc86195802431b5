import { Alert, Button, NativeSelect, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleInput, RuleRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { DayField } from '../parts/day-field.tsx'
import { DialogActions } from '../parts/dialog.tsx'
import { Folded } from '../parts/folded.tsx'
import { LimitFields } from '../parts/limit-fields.tsx'
import { isSame } from '../parts/merge-written.ts'
import { Failure } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { QuestionFields } from './question-fields.tsx'
import { ruleOf, ruleOfRow, writtenRule, type WrittenRule } from './written-rule.ts'

const requests = ['elicitation', 'sampling', 'roots'] as const
const decisions = ['ask', 'allow', 'deny'] as const
const reviews = ['prompt', 'completion'] as const

/** A rule that is written anew, or one with its place in the config. */
export interface EditedRule {
  readonly index?: number | undefined
  readonly rule: RuleInput
  /** It is put before all others. */
  readonly first?: boolean | undefined
}

interface RuleFormProps {
  readonly edited: EditedRule
  /** As they stand in the config now. */
  readonly rules: readonly RuleRow[]
  readonly server: string
  readonly onDone: () => void
}

/** The fields of a rule; those that only some kinds of questions have stand there for these. */
export function RuleForm({ edited, rules, server, onDone }: RuleFormProps): ReactNode {
  const { t } = useTranslation()
  const { rule: before, first } = edited
  const [written, setWritten] = useState(() => writtenRule(before))
  const add = useAct('rules/add', ['servers/get', 'rules/list'])
  const change = useAct('rules/change', ['servers/get', 'rules/list'])
  const isStale = change.data?.status === 'stale'
  // Where it was moved meanwhile, it is found again; where it is gone, what is written here is a rule of its own.
  const [index, setIndex] = useState(edited.index)
  const place = isStale ? rules.find((row) => isSame(ruleOfRow(row), before))?.index : index
  if (place !== index) setIndex(place)
  const set = (part: Partial<WrittenRule>): void => {
    add.reset()
    change.reset()
    setWritten({ ...written, ...part })
  }
  const rule = ruleOf(written)
  const problem = typeof rule === 'string' ? rule : undefined
  const save = (): void => {
    if (typeof rule === 'string') return
    const onSuccess = ({ status }: { readonly status: string }): void => void (status === 'changed' && onDone())
    if (index === undefined) add.mutate({ rule, ...(first && { first }) }, { onSuccess })
    else change.mutate({ index, before, rule }, { onSuccess })
  }
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('servers.rule.server')}
        value={written.server}
        onChange={(event) => set({ server: event.currentTarget.value })}
        data={[
          { value: server, label: visibleText(server, 60) },
          { value: '*', label: t('roots.everyServer') },
        ]}
      />
      <NativeSelect
        label={t('servers.rule.request')}
        value={written.request ?? ''}
        onChange={(event) => set({ request: requests.find((one) => one === event.currentTarget.value) })}
        data={[{ value: '', label: t('servers.rule.any') }, ...requests.map((value) => ({ value, label: t(`audit.requests.${value}`) }))]}
      />
      <NativeSelect
        label={t('servers.rule.decision')}
        value={written.decision}
        onChange={(event) => set({ decision: decisions.find((one) => one === event.currentTarget.value) ?? 'ask' })}
        data={decisions.map((value) => ({ value, label: t(`servers.ruleDecisions.${value}`) }))}
      />
      {written.request === 'elicitation' && <QuestionFields written={written} problem={problem} onWrite={set} />}
      {written.request === 'sampling' && written.decision === 'allow' && (
        <NativeSelect
          label={t('servers.rule.review')}
          value={written.review ?? ''}
          onChange={(event) => set({ review: reviews.find((one) => one === event.currentTarget.value) })}
          data={[{ value: '', label: t('servers.rule.noReview') }, ...reviews.map((value) => ({ value, label: t(`inbox.kinds.${value}`) }))]}
        />
      )}
      <DayField label={t('servers.rule.until')} value={written.until} onWrite={(until) => set({ until })} />
      <Folded title={t('servers.rule.limits')} isOpen={Object.keys(written.limits).length > 0}>
        <LimitFields written={written.limits} onWrite={(limits) => set({ limits })} />
      </Folded>
      {problem !== undefined && (
        <Alert color="orange" variant="light">
          {t(`servers.rule.${problem}`)}
        </Alert>
      )}
      {isStale && index === undefined ? (
        <Alert color="red" variant="light" role="alert">
          {t('servers.staleRule')}
        </Alert>
      ) : (
        <ChangeOutcome change={add.data ?? change.data} isForm />
      )}
      <Failure error={add.error ?? change.error} />
      <DialogActions>
        <Button disabled={problem !== undefined} loading={add.isPending || change.isPending} onClick={save}>
          {t('servers.write')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
