import { ConsentryError } from '../../errors.ts'
import { addModel, parseConfig } from '../../policy/index.ts'
import { createModels, nameOf } from '../../sampling/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig } from '../change-config.ts'
import { readModel, sendsKeyInPlain } from '../model-entry.ts'

/** Writes a model into the config; a desk that follows it asks it from then on. */
export function addConfiguredModel({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'models/add'> {
  return async (body) => {
    const [entry, isPreview] = [readModel(body.body('entry')), body.flag('preview')]
    const change = (source: string | undefined): string => {
      const before = isPreview || source === undefined ? config.current : parseConfig(source, edited.file, edited)
      if (before.models.some((one) => nameOf(one) === nameOf(entry))) throw new ConsentryError('CONFIG_INVALID', `There is a model ${nameOf(entry)} already.`)
      const changed = addModel(source, entry, edited)
      // Says what is wrong with it before it is written.
      createModels({ entries: parseConfig(changed, edited.file, edited).models.slice(-1) })
      return changed
    }
    const text = JSON.stringify(entry, undefined, 2)
    if (!isPreview) return changeConfig(config, text, change)
    const preview = await previewConfig(undefined, text, change)
    return preview.status === 'preview' && sendsKeyInPlain(entry) ? { ...preview, keyInPlain: true } : preview
  }
}
