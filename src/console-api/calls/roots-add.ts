import { ConsentryError } from '../../errors.ts'
import { addRoot, parseConfig, removeRoot } from '../../policy/index.ts'
import type { Phrase } from '../../protocol/index.ts'
import { validateRoot } from '../../roots/index.ts'
import { recordConsent } from '../../roots/record-consent.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { stale } from '../change-config.ts'
import { configuredFolders, spell } from '../configured-folders.ts'
import { markOf } from '../seen.ts'

type Needs = Pick<CallNeeds, 'config' | 'edited' | 'disk' | 'place' | 'audit'>

const MOST_SHOWN = 10_000

export function addConfiguredRoot({ config, edited, disk, place, audit }: Needs): Handler<'roots/add'> {
  return async (body) => {
    const [server, path] = [body.text('server'), body.text('path')]
    const [name, mark] = [body.optionalText('name', 200), body.optionalText('mark', 100)]
    const before = new Set(body.list('before', MOST_SHOWN).map((one) => (typeof one === 'string' ? spell(one, edited) : '')))
    const seen = await validateRoot({ path, name }, { disk, home: place.home, state: place.stateFolder })
    if (!seen.ok) return { status: 'refused', reason: phraseOf(`path-${seen.problem}`, seen.reason) }
    if (seen.level === 'block') return { status: 'refused', reason: seen.warning ?? phraseOf('concern', 'This folder is not told to any server.') }
    if (seen.warning !== undefined && body.optionalFlag('confirmed') !== true) return { status: 'unconfirmed', warning: seen.warning }
    const folder = spell(seen.path, edited)
    const change = (source: string | undefined): string => {
      const entry = parseConfig(source ?? '{}', edited.file, edited).mcpServers.get(server)
      // What stands under this name now is started otherwise: it is not what the person gave the folder to.
      if ((entry && markOf(entry)) !== mark) throw stale
      const known = configuredFolders(source, server, edited)
      if (known.size !== before.size || [...known.keys()].some((one) => !before.has(one))) throw stale
      return addRoot(source, { server, path: seen.path, name }, edited)
    }
    const record = (granted: string): Promise<void> =>
      recordConsent(audit, { event: 'granted', server, path: granted, source: 'config', surface: 'console' }).catch(async (error: unknown) => {
        // What no log knows of is not told.
        await config.edit((source) => removeRoot(source, { server, path: granted }, edited))
        throw error
      })
    try {
      await config.edit(change)
      if (!before.has(folder)) await record(folder)
    } catch (error) {
      if (error === stale || (error instanceof ConsentryError && error.cause === stale)) return { status: 'stale' }
      if (error instanceof ConsentryError && error.code === 'CONFIG_INVALID')
        return { status: 'refused', reason: { key: 'config-invalid', facts: { reason: error.message }, sentence: error.message } }
      throw error
    }
    return { status: 'added' }
  }
}

function phraseOf(key: string, sentence: string): Phrase {
  return { key, sentence }
}
