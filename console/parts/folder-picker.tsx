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

/** What stands in the field while somebody is in it: no answer of the desk may change it under what they select or type. */
interface PathField {
  readonly text: string
  /** What stood there for the folder that is looked at: anything else is another one, to go to first. */
  readonly asked: string
}

/** Milliseconds after which a disk that gave no answer is looked at once more without being told to. */
const RETRY_MS = 1500

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
  const [path, setPath] = useState(start)
  const [field, setField] = useState<PathField>()
  const [showsHidden, setShowsHidden] = useState(false)
  const {
    data: folder,
    error,
    isFetching,
    isPlaceholderData: isOfBefore,
    refetch,
  } = useQuery({
    queryKey: ['browse', path],
    queryFn: () => call('roots/browse', { path }),
    gcTime: 0,
    placeholderData: (before) => before,
    // A disk that was busy just then has mostly come to itself.
    refetchInterval: ({ state: { data, dataUpdateCount } }) => data !== undefined && isSilent(data) && dataUpdateCount < 2 && RETRY_MS,
  })
  const go = (to: string): void => {
    setPath(to)
    setField(undefined)
  }
  const shownPath = (isOfBefore ? path : (folder?.path ?? path)) ?? ''
  const isElsewhere = field !== undefined && field.text !== field.asked
  const shown = folder?.folders.filter(({ hidden }) => showsHidden || !hidden) ?? []
  return (
    <div className={classes['walk']}>
      <form
        className={classes['line']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isElsewhere) return
          setPath(field.text)
          setField({ text: field.text, asked: field.text })
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
          value={field?.text ?? shownPath}
          onFocus={() => setField(field ?? { text: shownPath, asked: shownPath })}
          onChange={(event) => setField({ text: event.currentTarget.value, asked: field?.asked ?? shownPath })}
          onBlur={() => !isElsewhere && setField(undefined)}
          spellCheck={false}
          error={error ? <FaultText fault={error} maximum={200} /> : undefined}
          rightSection={isFetching ? <Loader size={14} /> : undefined}
        />
        <Button type="submit" variant="default" disabled={!isElsewhere}>
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
        {folder && shown.length === 0 && (folder.status === 'ok' || folder.unlisted) && (
          <li>
            <Text c="dimmed" fz="sm" p="xs">
              {t(folder.unlisted ? 'folders.unlisted' : 'folders.noFolders')}
            </Text>
          </li>
        )}
      </ul>
      {folder?.more && (
        <Text c="dimmed" fz="xs">
          {t('folders.more')}
        </Text>
      )}
      <WhyNot folder={isOfBefore ? undefined : folder} error={error} isElsewhere={isElsewhere} isTrying={isFetching} onRetry={() => void refetch()} />
      <Group justify="space-between">
        <Checkbox size="xs" label={t('folders.hidden')} checked={showsHidden} onChange={(event) => setShowsHidden(event.currentTarget.checked)} />
        <Button
          disabled={!folder || isOfBefore || folder.level === 'block' || folder.status !== 'ok' || isElsewhere}
          onClick={() => folder && onPick(candidateOf(folder))}
        >
          {t('folders.here')}
        </Button>
      </Group>
    </div>
  )
}

interface WhyNotProps {
  readonly folder: BrowsedFolder | undefined
  readonly error: Error | null
  readonly isElsewhere: boolean
  readonly isTrying: boolean
  readonly onRetry: () => void
}

/** What there is to mind about a folder, or why it cannot be taken, with a way to look again. */
function WhyNot({ folder, error, isElsewhere, isTrying, onRetry }: WhyNotProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  // What is said of one folder is not said beside the name of another.
  if (isElsewhere) return <Said>{t('folders.goFirst')}</Said>
  const isNone = folder !== undefined && folder.level !== 'block' && folder.status !== 'ok'
  const canTryAgain = isNone || folder?.unlisted === true || (error !== null && !('code' in error && error.code === 'ROOT_INVALID'))
  return (
    <>
      {folder?.warning && (
        <Text fz="sm" className={classes['warning']}>
          <IconAlertTriangle size={15} aria-hidden /> {say(folder.warning)}
        </Text>
      )}
      {folder?.level === 'block' && <Said>{t('folders.blocked')}</Said>}
      {isNone && <Said>{t(`folders.notTaken.${folder.status}`)}</Said>}
      {canTryAgain && (
        <div>
          <Button size="xs" variant="default" loading={isTrying} onClick={onRetry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
    </>
  )
}

function Said({ children }: { readonly children: string }): ReactNode {
  return (
    <Text fz="sm" role="status">
      {children}
    </Text>
  )
}

/** The disk gave no answer to something, as far as can be seen; a file has nothing that could be listed, either. */
function isSilent({ status, unlisted }: BrowsedFolder): boolean {
  return status === 'unreachable' || (status === 'ok' && unlisted === true)
}

function candidateOf({ path, status, uri, reason, warning, level, evidence, offeredRepository }: BrowsedFolder): FolderCandidate {
  return { path, status, uri, reason, warning, level, evidence, offeredRepository }
}
