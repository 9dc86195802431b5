import { ConsentryError } from '../../errors.ts'
import { addRoot } from '../../policy/index.ts'
import type { Phrase } from '../../protocol/index.ts'
import { validateRoot } from '../../roots/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

type Needs = Pick<CallNeeds, 'config' | 'edited' | 'disk' | 'place'>

export function addConfiguredRoot({ config, edited, disk, place }: Needs): Handler<'roots/add'> {
  return async (body) => {
    const server = body.text('server')
    const path = body.text('path')
    const name = body.optionalText('name', 200)
    const seen = await validateRoot({ path, name }, { disk, home: place.home, state: place.stateFolder })
    if (!seen.ok) return { status: 'refused', reason: phraseOf(`path-${seen.problem}`, seen.reason) }
    if (seen.level === 'block') return { status: 'refused', reason: seen.warning ?? phraseOf('concern', 'This folder is not told to any server.') }
    if (seen.warning !== undefined && body.optionalFlag('confirmed') !== true) return { status: 'unconfirmed', warning: seen.warning }
    try {
      await config.edit((source) => addRoot(source, { server, path: seen.path, name }, edited))
    } catch (error) {
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
