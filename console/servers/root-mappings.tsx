import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import lists from '../parts/list.module.css'
import { Failure, Section } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'

const CHANGED = ['servers/get', 'roots/list'] as const

/** By which names a server with files of its own (in a container, in WSL, on another machine) knows folders of this one. */
export function RootMappings({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const remove = useAct('roots/map', CHANGED)
  const changed = remove.data?.status === 'invalid' ? undefined : remove.data
  // Of two names for one folder the last one counts.
  const mappings = [...new Map(server.mappings.map((mapping) => [mapping.path, mapping])).values()]
  return (
    <Section
      title={t('roots.mappings.title')}
      actions={
        <Button size="compact-sm" variant="default" leftSection={<IconArrowsExchange size={15} aria-hidden />} onClick={() => setAdding(true)}>
          {t('roots.mappings.add')}
        </Button>
      }
    >
      <p className={lists['none']}>{t(mappings.length === 0 ? 'roots.mappings.none' : 'roots.mappings.intro')}</p>
      <ul className={lists['list']}>
        {mappings.map(({ path, uri }) => (
          <li key={path} className={lists['row']}>
            <span className={lists['main']}>
              <span className={lists['mono']}>
                <ServerText text={path} maximum={Infinity} />
              </span>
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${t('roots.mappings.remove')}: ${visibleText(path, 120)}`}
              onClick={() => remove.mutate({ server: server.name, path, before: uri })}
            >
              {t('roots.mappings.remove')}
            </Button>
            <span className={lists['under']}>{t('roots.sees', { uri: visibleText(uri, 300) })}</span>
          </li>
        ))}
      </ul>
      <ChangeOutcome change={changed} />
      <Failure error={remove.error} />
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={t('roots.mappings.add')}>
        <MappingForm server={server} onDone={() => setAdding(false)} />
      </Dialog>
    </Section>
  )
}

function MappingForm({ server: { name, mappings }, onDone }: { readonly server: ServerDetail; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const [path, setPath] = useState('')
  const [uri, setUri] = useState('')
  const map = useAct('roots/map', CHANGED)
  const invalid = map.data?.status === 'invalid' ? map.data.field : undefined
  const changed = map.data?.status === 'invalid' ? undefined : map.data
  const before = mappings.findLast((mapping) => mapping.path === path.trim())?.uri
  return (
    <Stack gap="sm">
      <p className={lists['none']}>{t('roots.mappings.help', { server: visibleText(name, 60) })}</p>
      <TextInput
        label={t('roots.mappings.here')}
        placeholder="~/projects"
        value={path}
        error={invalid === 'path' ? t('roots.mappings.invalidPath') : undefined}
        onChange={(event) => setPath(event.currentTarget.value)}
        spellCheck={false}
      />
      <TextInput
        label={t('roots.mappings.there')}
        placeholder="file:///workspace"
        value={uri}
        error={invalid === 'uri' ? t('roots.mappings.invalidUri') : undefined}
        onChange={(event) => setUri(event.currentTarget.value)}
        spellCheck={false}
      />
      {before !== undefined && (
        <Alert color="orange" variant="light">
          {t('roots.mappings.replaces', { uri: visibleText(before, 300) })}
        </Alert>
      )}
      <ChangeOutcome change={changed} isForm />
      <Failure error={map.error} />
      <DialogActions>
        <Button
          disabled={path.trim() === '' || uri.trim() === ''}
          loading={map.isPending}
          onClick={() =>
            map.mutate(
              { server: name, path: path.trim(), uri: uri.trim(), ...(before !== undefined && { before }) },
              { onSuccess: ({ status }) => void (status === 'changed' && onDone()) },
            )
          }
        >
          {t('roots.mappings.save')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
