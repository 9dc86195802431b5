import type { ModelEntry } from './config.ts'
import { edit, type EditedFile } from './edit-config.ts'
import { setJsonc } from './edit-jsonc.ts'

/**
 * Adds a model at the end of the user's list. Comments and formatting stay; one that is there already is not added again.
 *
 * @param text undefined where there is no file yet
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function addModel(
  text: string | undefined,
  { provider, model, baseUrl }: Pick<ModelEntry, 'provider' | 'model' | 'baseUrl'>,
  edited: EditedFile,
): string {
  return edit(text, edited, (source, { models }) => {
    if (models.some((one) => one.provider === provider && one.model === model)) return source
    const entry = baseUrl === undefined ? { provider, model } : { provider, model, baseUrl }
    return models.length === 0 ? setJsonc(source, ['models'], [entry]) : setJsonc(source, ['models', models.length], entry)
  })
}
