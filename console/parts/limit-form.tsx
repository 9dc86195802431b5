import { Button, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfigChange, LimitsInput } from '../../src/console-api/contract.ts'
import { ChangeOutcome } from './change-outcome.tsx'
import { DialogActions } from './dialog.tsx'
import { LimitFields, readLimits, writtenLimits } from './limit-fields.tsx'
import classes from './list.module.css'
import { mergeWritten, useBefore } from './merge-written.ts'
import { Failure } from './page.tsx'

interface LimitFormProps<Request> {
  /** Whose limits these are. */
  readonly text: string
  readonly limits: LimitsInput
  readonly save: UseMutationResult<ConfigChange, Error, Request>
  readonly requestOf: (limits: LimitsInput, before: LimitsInput) => Request
  readonly onDone: () => void
}

/** Limits as they are typed, and the button that writes them into the config. */
export function LimitForm<Request>({ text, limits: now, save, requestOf, onDone }: LimitFormProps<Request>): ReactNode {
  const { t } = useTranslation()
  const [written, setWritten] = useState(() => writtenLimits(now))
  const before = useBefore(now, save.data?.status === 'stale', (was, is) => setWritten(mergeWritten(written, writtenLimits(was), writtenLimits(is))))
  const limits = readLimits(written)
  return (
    <Stack gap="sm">
      <p className={classes['none']}>{text}</p>
      <LimitFields written={written} onWrite={setWritten} />
      <ChangeOutcome change={save.data} isForm />
      <Failure error={save.error} />
      <DialogActions>
        <Button
          disabled={limits === undefined}
          loading={save.isPending}
          onClick={() => limits && save.mutate(requestOf(limits, before), { onSuccess: ({ status }) => void (status === 'changed' && onDone()) })}
        >
          {t('servers.write')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
