import { Button, Code, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProviderRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import classes from '../parts/list.module.css'
import { Failure } from '../parts/page.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'
import { WrittenPreview } from '../parts/written-preview.tsx'
import { isWhole, modelOf, nothing, usualVariable, type WrittenModel } from './written-model.ts'

interface ModelDialogProps {
  /** What is known beforehand; undefined: closed. */
  readonly start: Partial<WrittenModel> | undefined
  readonly providers: readonly ProviderRow[]
  readonly onClose: () => void
}

/** A model of the config, written by hand: shown as it will stand there before anything is written. */
export function ModelDialog({ start, providers, onClose }: ModelDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={start !== undefined} onClose={onClose} title={t('settings.addModel')}>
      {start && <ModelForm start={start} providers={providers} onDone={onClose} />}
    </Dialog>
  )
}

interface ModelFormProps {
  readonly start: Partial<WrittenModel>
  readonly providers: readonly ProviderRow[]
  readonly onDone: () => void
}

function ModelForm({ start, providers, onDone }: ModelFormProps): ReactNode {
  const { t } = useTranslation()
  const known = useId()
  const [written, setWritten] = useState<WrittenModel>({ ...nothing, ...start })
  const add = useAct('models/add', ['models/list', 'models/find'])
  const set = (part: Partial<WrittenModel>): void => {
    add.reset()
    setWritten({ ...written, ...part })
  }
  const send = (preview: boolean): void =>
    add.mutate({ entry: modelOf(written), preview }, { onSuccess: ({ status }) => void (status === 'changed' && onDone()) })
  const preview = add.data?.status === 'preview' ? add.data.text : undefined
  return (
    <Stack gap="sm">
      <TextInput
        label={t('settings.provider')}
        description={t('settings.providerHelp')}
        value={written.provider}
        list={known}
        onChange={(event) => set({ provider: event.currentTarget.value })}
        spellCheck={false}
      />
      <datalist id={known}>
        {providers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextInput label={t('settings.modelName')} value={written.model} onChange={(event) => set({ model: event.currentTarget.value })} spellCheck={false} />
      <TextInput
        label={t('settings.baseUrl')}
        description={t('settings.baseUrlHelp')}
        value={written.baseUrl}
        onChange={(event) => set({ baseUrl: event.currentTarget.value })}
        inputMode="url"
        spellCheck={false}
      />
      <KeyFields written={written} usual={usualVariable(written, providers)} onChange={set} />
      <ChangeOutcome change={add.data} />
      <Failure error={add.error} />
      {preview !== undefined && (
        <WrittenPreview text={preview}>
          {add.data?.status === 'preview' && add.data.keyInPlain === true && <p className={classes['warning']}>{t('settings.keyInPlain')}</p>}
        </WrittenPreview>
      )}
      <DialogActions>
        <Button disabled={!isWhole(written)} loading={add.isPending} onClick={() => send(preview === undefined)}>
          {preview === undefined ? t('servers.preview') : t('servers.write')}
        </Button>
      </DialogActions>
    </Stack>
  )
}

interface KeyFieldsProps {
  readonly written: WrittenModel
  readonly usual: string | undefined
  readonly onChange: (part: Partial<WrittenModel>) => void
}

/** Where the key is found: it is never typed here, and never written to the config. */
function KeyFields({ written: { key, keyName, command }, usual, onChange }: KeyFieldsProps): ReactNode {
  const { t } = useTranslation()
  const name = keyName.trim() === '' ? 'NAME' : keyName.trim()
  return (
    <>
      <NativeSelect
        label={t('settings.key')}
        description={t('settings.keyHelp')}
        value={key}
        onChange={(event) => onChange({ key: event.currentTarget.value as WrittenModel['key'] })}
        data={[
          { value: 'usual', label: usual === undefined ? t('settings.keys.none') : t('settings.keys.usual', { name: usual }) },
          { value: 'variable', label: t('settings.keys.variable') },
          { value: 'keyring', label: t('settings.keys.keyring') },
          { value: 'command', label: t('settings.keys.command') },
        ]}
      />
      {key === 'variable' && (
        <TextInput
          label={t('settings.variableName')}
          description={t('settings.variableHelp')}
          value={keyName}
          onChange={(event) => onChange({ keyName: event.currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {key === 'keyring' && (
        <TextInput
          label={t('settings.keyringName')}
          description={
            <Slotted text={t('settings.keyringHelp', { command: slot('command') })} slots={{ command: <Code>{`consentry models key ${name}`}</Code> }} />
          }
          value={keyName}
          onChange={(event) => onChange({ keyName: event.currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {key === 'command' && (
        <Textarea
          label={t('settings.commandLines')}
          description={t('settings.commandHelp')}
          value={command}
          onChange={(event) => onChange({ command: event.currentTarget.value })}
          autosize
          minRows={2}
          spellCheck={false}
        />
      )}
    </>
  )
}
