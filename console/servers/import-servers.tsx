import { Button, Checkbox, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportPick } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import classes from '../parts/list.module.css'
import { Failure, Loading } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { FaultText } from '../parts/fault-text.tsx'
import { WrittenPreview } from '../parts/written-preview.tsx'
import { AlreadyNamed } from './already-named.tsx'

/** Servers out of the config files of other clients: found, picked, shown as they will stand in ours, and only then written. */
export function ImportServers({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('servers.import')}>
      <Import onDone={onClose} />
    </Dialog>
  )
}

function Import({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const { data, error } = useCall('import/scan', {})
  const [picks, setPicks] = useState<readonly ImportPick[]>([])
  const apply = useAct('import/apply', ['import/scan'])
  const isPicked = (source: string, name: string): boolean => picks.some((pick) => pick.source === source && pick.name === name)
  const toggle = (source: string, name: string): void => {
    apply.reset()
    setOther(false)
    setPicks(isPicked(source, name) ? picks.filter((pick) => pick.source !== source || pick.name !== name) : [...picks, { source, name }])
  }
  const [isOther, setOther] = useState(false)
  const proposal = apply.data?.status === 'preview' ? apply.data : undefined
  const preview = proposal?.text
  const look = (): void => apply.mutate({ picks, preview: true })
  const write = (shown: string | undefined): void =>
    apply.mutate(
      { picks, preview: false, shown },
      {
        onSuccess: ({ status }) => {
          setOther(status === 'stale')
          if (status === 'changed') onDone()
          // What stands there now is shown in its place, and asked about anew.
          if (status === 'stale') look()
        },
      },
    )
  if (data === undefined) return <Loading error={error} />
  return (
    <Stack gap="md">
      <p className={classes['none']}>{data.sources.length === 0 ? t('servers.importNone') : t('servers.importText')}</p>
      {data.sources.map(({ id, client, file, fault, servers }) => (
        <section key={id} aria-label={visibleText(client, 60)}>
          <h3>{visibleText(client, 60)}</h3>
          <p className={classes['side']}>
            <ServerText text={file} maximum={300} />
          </p>
          {fault && (
            <p className={classes['warning']}>
              <FaultText fault={fault} />
            </p>
          )}
          <ul className={classes['list']}>
            {servers.map(({ name, entry, fault: why, known }) => (
              <li key={name} className={classes['row']}>
                <Checkbox
                  className={classes['main']}
                  label={visibleText(name, 80)}
                  description={entry && visibleText(entry.kind === 'http' ? entry.url : [entry.command, ...entry.args].join(' '), 120)}
                  checked={isPicked(id, name)}
                  disabled={entry === undefined || known === 'same'}
                  onChange={() => toggle(id, name)}
                />
                {known !== 'no' && <span className={classes['side']}>{t(`servers.known.${known}`)}</span>}
                {why && (
                  <span className={classes['warning']}>
                    <FaultText fault={why} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <ChangeOutcome change={isOther ? { status: 'stale' } : apply.data} />
      <Failure error={apply.error} />
      {preview !== undefined && (
        <WrittenPreview text={preview}>
          <AlreadyNamed named={proposal?.named} />
        </WrittenPreview>
      )}
      <DialogActions>
        <Button disabled={picks.length === 0} loading={apply.isPending} onClick={() => (proposal === undefined ? look() : write(proposal.shown))}>
          {preview === undefined ? t('servers.preview') : t('servers.write')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
