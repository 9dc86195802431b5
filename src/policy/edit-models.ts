import type { JsonObject } from '../protocol/index.ts'
import type { ModelEntry } from './config.ts'
import { edit, type EditedFile } from './edit-config.ts'
import { removeElement, setJsonc } from './edit-jsonc.ts'

/** A model as it stands in the config. */
export interface NewModel extends Pick<ModelEntry, 'provider' | 'model' | 'baseUrl'> {
  /** `"${NAME}"`, or where the key is kept, in the words of the config. */
  readonly apiKey?: string | JsonObject | undefined
}

/**
 * Adds a model at the end of the user's list. Comments and formatting stay; one that is there already is not added again.
 *
 * @param text undefined where there is no file yet
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function addModel(text: string | undefined, { provider, model, baseUrl, apiKey }: NewModel, edited: EditedFile): string {
  return edit(text, edited, (source, { models }) => {
    if (models.some((one) => one.provider === provider && one.model === model)) return source
    const entry = { provider, model, ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) }
    return models.length === 0 ? setJsonc(source, ['models'], [entry]) : setJsonc(source, ['models', models.length], entry)
  })
}

/**
 * Takes a model off the user's list. Comments and formatting stay.
 *
 * @returns the same text where it is not on the list
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function removeModel(text: string | undefined, { provider, model }: Pick<ModelEntry, 'provider' | 'model'>, edited: EditedFile): string {
  return edit(text, edited, (source, { models }) => {
    let changed = source
    for (const [index, one] of [...models.entries()].toReversed())
      if (one.provider === provider && one.model === model) changed = removeElement(changed, ['models'], index)
    return changed
  })
}
