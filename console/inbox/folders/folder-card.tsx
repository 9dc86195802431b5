import { Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderCandidate, GrantedFolder } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { RootStatusDot } from '../../parts/root-status.tsx'
import { ServerText, visibleText } from '../../parts/server-text.tsx'
import classes from './folder-card.module.css'

interface FolderCardProps {
  readonly folder: FolderCandidate
  /** Absent: it is not marked. */
  readonly marked: GrantedFolder | undefined
  readonly fault: string | undefined
  readonly onChange: (marked: GrantedFolder | undefined) => void
}

/** A folder with all there is to know before it is told; one with a warning needs a second mark, under the warning. */
export function FolderCard({ folder, marked, fault, onChange }: FolderCardProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const id = useId()
  const { path, name, status, why, warning, reason, evidence, level, uri, offeredRepository } = folder
  const isBlocked = level === 'block'
  return (
    <div className={classes['card']} data-marked={marked !== undefined || undefined}>
      <label className={classes['main']}>
        <Checkbox
          className={classes['mark']}
          checked={marked !== undefined}
          disabled={isBlocked || status !== 'ok'}
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked ? { path } : undefined)}
        />
        <span className={classes['path']}>
          <ServerText text={path} maximum={Infinity} />
          {name !== undefined && name !== '' && <span className={classes['name']}> · {name}</span>}
        </span>
        <RootStatusDot status={status} />
      </label>
      <div id={id} className={classes['facts']}>
        {evidence.length > 0 && (
          <p className={classes['evidence']}>
            {evidence.map(({ kind, file }) => (
              <span key={kind + file} className={classes['chip']} title={file}>
                {kind} · <ServerText text={file} maximum={60} />
              </span>
            ))}
          </p>
        )}
        {why && evidence.length === 0 && <p>{say(why)}</p>}
        {status === 'ok' ? uri !== undefined && <p className={classes['uri']}>{t('folders.sees', { uri })}</p> : reason && <p>{say(reason)}</p>}
        {isBlocked && <p>{t('folders.blocked')}</p>}
        {warning && (
          <p className={classes['warning']}>
            <IconAlertTriangle size={15} aria-hidden /> {say(warning)}
          </p>
        )}
        {marked && level === 'confirm' && (
          <Checkbox
            size="xs"
            label={t('folders.confirm')}
            checked={marked.confirmed === true}
            onChange={(event) => onChange({ ...marked, confirmed: event.currentTarget.checked })}
          />
        )}
        {marked && offeredRepository !== undefined && (
          <Checkbox
            size="xs"
            label={t('folders.repository', { path: visibleText(offeredRepository, Infinity) })}
            description={t('folders.repositoryHelp')}
            checked={marked.repository !== undefined}
            onChange={(event) => onChange({ ...marked, repository: event.currentTarget.checked ? offeredRepository : undefined })}
          />
        )}
        {fault !== undefined && (
          <p className={classes['fault']} role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  )
}
