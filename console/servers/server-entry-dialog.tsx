import { Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownServerEntry } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { useBefore } from '../parts/merge-written.ts'
import { Failure } from '../parts/page.tsx'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { WrittenPreview } from '../parts/written-preview.tsx'
import { AlreadyNamed } from './already-named.tsx'
import { entryOf, mergeEntry, unshowable, writtenEntry, type WrittenEntry } from './written-entry.ts'

interface ServerEntryDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** What stands in the config; absent: a new one. */
  readonly name?: string | undefined
  readonly entry?: ShownServerEntry | undefined
  readonly mark?: string | undefined
}

/** A server of the config, written by hand: shown as it will stand there before anything is written. */
export function ServerEntryDialog({ isOpen, onClose, name, entry, mark }: ServerEntryDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={name === undefined ? t('servers.add') : t('servers.edit')}>
      <EntryForm known={name} entry={entry} mark={mark} onDone={onClose} />
    </Dialog>
  )
}

function EntryForm({
  known,
  entry,
  mark,
  onDone,
}: {
  readonly known: string | undefined
  readonly entry: ShownServerEntry | undefined
  readonly mark: string | undefined
  readonly onDone: () => void
}): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState(known ?? '')
  const [written, setWritten] = useState<WrittenEntry>(() => writtenEntry(entry))
  const add = useAct('servers/add', ['servers/get'])
  const change = useAct('servers/change', ['servers/get'])
  const before = useBefore({ entry, mark }, change.data?.status === 'stale', (was, is) => setWritten(mergeEntry(written, was.entry, is.entry)))
  const save = known === undefined ? add : change
  const fixed = unshowable(before.entry)
  const set = (part: Partial<WrittenEntry>): void => {
    save.reset()
    setWritten({ ...written, ...part })
  }
  const proposal = save.data?.status === 'preview' ? save.data : undefined
  const preview = proposal?.text
  const send = (isPreview: boolean): void => {
    const request = { name, entry: entryOf(written, before.entry), preview: isPreview }
    const onSuccess = ({ status }: { readonly status: string }): void => void (status === 'changed' && onDone())
    if (known === undefined) add.mutate({ ...request, ...(!isPreview && { shown: proposal?.shown }) }, { onSuccess })
    else change.mutate({ ...request, before: before.mark ?? '' }, { onSuccess })
  }
  const isHttp = written.kind === 'http'
  return (
    <Stack gap="sm">
      {known === undefined && (
        <TextInput
          label={t('servers.entry.name')}
          value={name}
          onChange={(event) => {
            save.reset()
            setName(event.currentTarget.value)
          }}
          spellCheck={false}
        />
      )}
      <NativeSelect
        label={t('servers.entry.kind')}
        value={written.kind}
        onChange={(event) => set({ kind: event.currentTarget.value === 'http' ? 'http' : 'stdio' })}
        data={[
          { value: 'stdio', label: t('servers.entry.stdio') },
          { value: 'http', label: t('servers.entry.http') },
        ]}
      />
      {isHttp ? (
        <TextInput
          label={t('servers.entry.url')}
          value={written.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
          inputMode="url"
          spellCheck={false}
        />
      ) : (
        <>
          <TextInput
            label={t('servers.entry.command')}
            value={written.command}
            onChange={(event) => set({ command: event.currentTarget.value })}
            spellCheck={false}
          />
          <Textarea
            label={t('servers.entry.args')}
            readOnly={written.kind === 'stdio' && fixed.args}
            {...(fixed.args && { description: t('servers.entry.unshowable') })}
            value={written.args}
            onChange={(event) => set({ args: event.currentTarget.value })}
            autosize
            minRows={2}
            spellCheck={false}
          />
          <TextInput label={t('servers.entry.cwd')} value={written.cwd} onChange={(event) => set({ cwd: event.currentTarget.value })} spellCheck={false} />
        </>
      )}
      <Textarea
        label={isHttp ? t('servers.entry.headers') : t('servers.entry.env')}
        description={
          fixed.values && written.kind === before.entry?.kind
            ? t('servers.entry.unshowable')
            : `${t('servers.entry.secretHelp')}${before.entry === undefined ? '' : ` ${t('servers.entry.kept')}`}`
        }
        readOnly={fixed.values && written.kind === before.entry?.kind}
        value={written.values}
        onChange={(event) => set({ values: event.currentTarget.value })}
        autosize
        minRows={2}
        spellCheck={false}
      />
      <ChangeOutcome change={save.data} isForm={known !== undefined} />
      <Failure error={save.error} />
      {preview !== undefined && (
        <WrittenPreview text={preview}>
          <AlreadyNamed named={proposal?.named} />
        </WrittenPreview>
      )}
      <DialogActions>
        {preview === undefined ? (
          <Button disabled={name.trim() === ''} loading={save.isPending} onClick={() => send(true)}>
            {t('servers.preview')}
          </Button>
        ) : (
          <Button loading={save.isPending} onClick={() => send(false)}>
            {t('servers.write')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  )
}
