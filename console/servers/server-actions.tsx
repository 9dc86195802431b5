import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ServerDetail, ServerSummary } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { Failure } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { ServerEntryDialog } from './server-entry-dialog.tsx'

/** Start, stop, edit, remove: what stands in the config can be changed here, what a client started cannot. */
export function ServerActions({ summary, detail }: { readonly summary: ServerSummary; readonly detail: ServerDetail | undefined }): ReactNode {
  const { t } = useTranslation()
  const [, go] = useLocation()
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const { name, source, state } = summary
  const start = useAct('servers/start', ['servers/get'])
  const stop = useAct('servers/stop', ['servers/get'])
  const restart = useAct('servers/restart', ['servers/get'])
  const disable = useAct('servers/disable', ['servers/get'])
  const remove = useAct('servers/remove', ['servers/get'])
  if (source === 'wrapped') return null
  const isRunning = state === 'ready' || state === 'connecting' || state === 'reconnecting'
  return (
    <>
      {isRunning ? (
        <>
          <Button size="xs" variant="default" loading={restart.isPending} onClick={() => restart.mutate({ name })}>
            {t('servers.restart')}
          </Button>
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate({ name })}>
            {t('servers.stop')}
          </Button>
        </>
      ) : (
        state !== 'disabled' && (
          <Button size="xs" loading={start.isPending} onClick={() => start.mutate({ name })}>
            {t('servers.start')}
          </Button>
        )
      )}
      {detail?.mark !== undefined && (
        <Button
          size="xs"
          variant="default"
          loading={disable.isPending}
          onClick={() => disable.mutate({ name, before: detail.mark!, disabled: state !== 'disabled' })}
        >
          {state === 'disabled' ? t('servers.enable') : t('servers.disable')}
        </Button>
      )}
      {detail?.entry && (
        <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
          {t('servers.edit')}
        </Button>
      )}
      {detail?.mark !== undefined && (
        <Button size="xs" variant="default" onClick={() => setOpen('remove')}>
          {t('servers.remove')}
        </Button>
      )}
      <ChangeOutcome change={disable.data} />
      <Failure error={start.error ?? stop.error ?? restart.error ?? disable.error} />
      {detail?.entry && <ServerEntryDialog isOpen={open === 'edit'} onClose={() => setOpen(undefined)} name={name} entry={detail.entry} mark={detail.mark} />}
      <Dialog isOpen={open === 'remove'} onClose={() => setOpen(undefined)} title={t('servers.reallyRemove', { server: visibleText(name, 60) })}>
        <p>{t('servers.removeText')}</p>
        <ChangeOutcome change={remove.data} />
        <Failure error={remove.error} />
        <DialogActions>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ name, before: detail?.mark ?? '' }, { onSuccess: ({ status }) => void (status === 'changed' && go('/servers')) })}
          >
            {t('servers.remove')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
