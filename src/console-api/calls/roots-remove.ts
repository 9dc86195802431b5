import { removeRoot } from '../../policy/index.ts'
import { recordConsent } from '../../roots/record-consent.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { configuredFolders, spell } from '../configured-folders.ts'

export function removeConfiguredRoot({ config, edited, audit }: Pick<CallNeeds, 'config' | 'edited' | 'audit'>): Handler<'roots/remove'> {
  return async (body) => {
    const [server, path, shownName] = [body.text('server'), body.text('path'), body.body('before').optionalText('name')]
    const change = await changeConfig(config, JSON.stringify({ path }), (source) => {
      const entries = configuredFolders(source, server, edited).get(spell(path, edited)) ?? []
      if (!entries.some(({ name }) => name === shownName)) throw stale
      return removeRoot(source, { server, path }, edited)
    })
    // What is taken back is taken back, whatever becomes of the log.
    if (change.status === 'changed') await recordConsent(audit, { event: 'revoked', server, path: spell(path, edited), source: 'config', surface: 'console' })
    return change
  }
}
