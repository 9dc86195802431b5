import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct, useCall } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { usePhrase } from '../language/use-phrase.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { FolderPicker } from '../parts/folder-picker.tsx'
import { Failure } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'

interface AddRootProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The server that it is for; absent: the person chooses. */
  readonly server?: string | undefined
}

/** Adds a folder to the config; what there is to warn of is read before it counts. */
export function AddRoot({ isOpen, onClose, server }: AddRootProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('roots.add')}>
      <AddRootForm server={server} onDone={onClose} />
    </Dialog>
  )
}

function AddRootForm({ server: fixed, onDone }: { readonly server: string | undefined; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const { servers } = useDesk()
  const detected = useCall('roots/detect', {})
  const listed = useCall('roots/list', {})
  const [server, setServer] = useState(fixed ?? servers[0]?.name ?? '*')
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const [isPicking, setPicking] = useState(false)
  const isForAll = server === '*'
  const detail = useCall('servers/get', { name: server }, !isForAll)
  const mark = isForAll ? undefined : detail.data?.mark
  const isKnown = listed.data !== undefined && (isForAll || detail.data !== undefined)
  const add = useAct('roots/add', ['roots/list', 'servers/get'])
  // What is read of one folder says nothing of another.
  const changing =
    (set: (text: string) => void) =>
    (text: string): void => {
      add.reset()
      set(text)
    }
  const before = listed.data?.roots.filter((row) => row.source === 'config' && row.server === server).map((row) => row.path) ?? []
  const send = (confirmed: boolean): void =>
    add.mutate(
      { server, path, before, ...(mark !== undefined && { mark }), ...(name !== '' && { name }), ...(confirmed && { confirmed }) },
      { onSuccess: ({ status }) => status === 'added' && onDone() },
    )
  return (
    <Stack gap="sm">
      {fixed === undefined && (
        <NativeSelect
          label={t('roots.addFor')}
          value={server}
          onChange={(event) => changing(setServer)(event.currentTarget.value)}
          data={[...servers.map((one) => ({ value: one.name, label: visibleText(one.name, 60) })), { value: '*', label: t('roots.everyServer') }]}
        />
      )}
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput label={t('roots.folder')} value={path} onChange={(event) => changing(setPath)(event.currentTarget.value)} spellCheck={false} flex={1} />
        <Button variant="default" onClick={() => setPicking(true)}>
          {t('roots.pick')}
        </Button>
      </Group>
      <TextInput label={t('roots.name')} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      {add.data?.status === 'stale' && <ChangeOutcome change={add.data} />}
      {add.data?.status === 'refused' && (
        <Alert color="red" variant="light" role="alert">
          {t('roots.refused', { reason: say(add.data.reason) })}
        </Alert>
      )}
      {add.data?.status === 'unconfirmed' && (
        <Alert color="orange" variant="light" role="alert" title={t('roots.confirmTitle')}>
          <p>{say(add.data.warning)}</p>
          <Button size="compact-sm" variant="default" mt="xs" onClick={() => send(true)}>
            {t('roots.confirm')}
          </Button>
        </Alert>
      )}
      <Failure error={add.error ?? detail.error} />
      <DialogActions>
        <Button disabled={path.trim() === '' || !isKnown} loading={add.isPending} onClick={() => send(false)}>
          {t('roots.add')}
        </Button>
      </DialogActions>
      <FolderPicker
        isOpen={isPicking}
        start={path === '' ? detected.data?.candidates[0]?.path : path}
        onClose={() => setPicking(false)}
        onPick={(folder) => {
          changing(setPath)(folder.path)
          setPicking(false)
        }}
      />
    </Stack>
  )
}
