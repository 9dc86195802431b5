import { readForeignUri, readRootPath } from '../../paths/index.ts'
import { parseConfig, removeRootMapping, setRootMapping } from '../../policy/index.ts'
import { recordConsent } from '../../roots/record-consent.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { spell } from '../configured-folders.ts'

export function mapRootForServer({ config, edited, tell, audit }: Pick<CallNeeds, 'config' | 'edited' | 'tell' | 'audit'>): Handler<'roots/map'> {
  return async (body) => {
    const [server, typed, uri, before] = [body.text('server', 200), body.text('path'), body.optionalText('uri'), body.optionalText('before')]
    const reading = readRootPath(typed, edited.platform, { home: edited.home })
    if (!reading.ok) return { status: 'invalid', field: 'path' }
    if (uri !== undefined && readForeignUri(uri) === undefined) return { status: 'invalid', field: 'uri' }
    const { path } = reading
    const change = await changeConfig(config, uri ?? '', (source) => {
      const known = parseConfig(source ?? '{}', edited.file, edited).rootMappings.get(server)
      if (known?.findLast((one) => spell(one.path, edited) === path)?.uri !== before) throw stale
      return uri === undefined ? removeRootMapping(source, { server, path }, edited) : setRootMapping(source, { server, path, uri }, edited)
    })
    if (change.status !== 'changed') return change
    tell({ type: 'server-touched', name: server, what: 'roots' })
    const event = uri === undefined ? 'revoked' : 'granted'
    await recordConsent(audit, { event, server, path, source: 'mapping', as: uri, surface: 'console' }).catch(async (error: unknown) => {
      // By no other name than the log says; a name that is taken back is taken back.
      if (uri !== undefined)
        await config.edit((source) =>
          before === undefined ? removeRootMapping(source, { server, path }, edited) : setRootMapping(source, { server, path, uri: before }, edited),
        )
      throw error
    })
    return change
  }
}
