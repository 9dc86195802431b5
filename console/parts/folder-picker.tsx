import { ActionIcon, Button, Checkbox, Group, Loader, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconArrowUp, IconFolder } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrowsedFolder, FolderCandidate } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { usePhrase } from '../language/use-phrase.ts'
import { Dialog } from './dialog.tsx'
import { FaultText } from './fault-text.tsx'
import classes from './folder-picker.module.css'
import { ServerText } from './server-text.tsx'

interface FolderPickerProps {
  readonly isOpen: boolean
  /** Where the evidence is; without one the desk starts in the home folder, never at the top. */
  readonly start: string | undefined
  readonly onClose: () => void
  readonly onPick: (folder: FolderCandidate) => void
}

/** Walks through the folders of the desk's machine until one is taken. */
export function FolderPicker({ isOpen, start, onClose, onPick }: FolderPickerProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('folders.pickerTitle')}>
      <Walk start={start} onPick={onPick} />
    </Dialog>
  )
}

function Walk({ start, onPick }: Pick<FolderPickerProps, 'start' | 'onPick'>): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const [path, setPath] = useState(start)
  const [typed, setTyped] = useState<string>()
  const [showsHidden, setShowsHidden] = useState(false)
  const {
    data: folder,
    error,
    isFetching,
    isPlaceholderData: isOfBefore,
  } = useQuery({ queryKey: ['browse', path], queryFn: () => call('roots/browse', { path }), gcTime: 0, placeholderData: (before) => before })
  const go = (to: string): void => {
    setPath(to)
    setTyped(undefined)
  }
  const shown = folder?.folders.filter(({ hidden }) => showsHidden || !hidden) ?? []
  return (
    <div className={classes['walk']}>
      <form
        className={classes['line']}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed !== undefined) go(typed)
        }}
      >
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('folders.up')}
          disabled={folder?.parent === undefined}
          onClick={() => folder?.parent !== undefined && go(folder.parent)}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <TextInput
          className={classes['path']}
          aria-label={t('folders.path')}
          value={typed ?? folder?.path ?? path ?? ''}
          onChange={(event) => setTyped(event.currentTarget.value)}
          spellCheck={false}
          error={error ? <FaultText fault={error} maximum={200} /> : undefined}
          rightSection={isFetching ? <Loader size={14} /> : undefined}
        />
        <Button type="submit" variant="default" disabled={typed === undefined}>
          {t('folders.goTo')}
        </Button>
      </form>
      <ul className={classes['folders']} aria-label={t('folders.pickerTitle')}>
        {shown.map((one) => (
          <li key={one.path}>
            <UnstyledButton className={classes['folder']} onClick={() => go(one.path)}>
              <IconFolder size={16} stroke={1.6} aria-hidden /> <ServerText text={one.name} maximum={200} />
            </UnstyledButton>
          </li>
        ))}
        {folder && shown.length === 0 && (
          <li>
            <Text c="dimmed" fz="sm" p="xs">
              {t('folders.noFolders')}
            </Text>
          </li>
        )}
      </ul>
      {folder?.more && (
        <Text c="dimmed" fz="xs">
          {t('folders.more')}
        </Text>
      )}
      {folder?.warning && (
        <Text fz="sm" className={classes['warning']}>
          <IconAlertTriangle size={15} aria-hidden /> {say(folder.warning)}
        </Text>
      )}
      {folder?.level === 'block' && <Text fz="sm">{t('folders.blocked')}</Text>}
      <Group justify="space-between">
        <Checkbox size="xs" label={t('folders.hidden')} checked={showsHidden} onChange={(event) => setShowsHidden(event.currentTarget.checked)} />
        <Button
          disabled={!folder || isOfBefore || folder.level === 'block' || folder.status !== 'ok' || typed !== undefined}
          onClick={() => folder && onPick(candidateOf(folder))}
        >
          {t('folders.here')}
        </Button>
      </Group>
    </div>
  )
}

function candidateOf({ path, status, uri, reason, warning, level, evidence, offeredRepository }: BrowsedFolder): FolderCandidate {
  return { path, status, uri, reason, warning, level, evidence, offeredRepository }
}
