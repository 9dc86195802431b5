import type { JsonObject } from '../protocol/index.ts'

/** The variables that stand in place of secrets, wherever answers are written down: one for each field name, over all forms of a run. */
export class SecretVariables {
  readonly #byField = new Map<string, string>()

  /** @param secretFields names of the fields that are marked as secrets, as the facts of a response have them */
  mask(content: JsonObject, secretFields: unknown): JsonObject {
    if (!Array.isArray(secretFields)) return content
    const entries = Object.entries(content).map(([name, value]) => [name, secretFields.includes(name) ? `\${${this.#variableFor(name)}}` : value] as const)
    return Object.fromEntries(entries)
  }

  #variableFor(field: string): string {
    const known = this.#byField.get(field)
    if (known !== undefined) return known
    const [plain, taken] = [variableLike(field), new Set(this.#byField.values())]
    let variable = plain
    for (let number = 2; taken.has(variable); number += 1) variable = `${plain}_${number}`
    this.#byField.set(field, variable)
    return variable
  }
}

/** `apiKey` -> `API_KEY`; a name without Latin letters is a `SECRET`. */
function variableLike(field: string): string {
  const words = field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase()
  return /^[A-Z]/.test(words) ? words : ['SECRET', words].filter((word) => word !== '').join('_')
}
