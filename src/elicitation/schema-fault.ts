import { ConsentryError } from '../errors.ts'

const longestName = 60

/** What is wrong with a server's schema, said to the server's author. `field` is undefined where the fault lies outside every field. */
export function schemaFault(field: string | undefined, advice: string): ConsentryError {
  const place = field === undefined ? 'requestedSchema' : `requestedSchema, field ${quoteName(field)}`
  return new ConsentryError('FORM_SCHEMA_INVALID', `${place}: ${advice}`, { data: { field } })
}

/** A name from outside as part of a sentence of ours: cut, and with nothing in it that a terminal or a reader could take for something else. */
export function quoteName(name: string): string {
  const characters = Array.from(name.slice(0, 4 * longestName))
  const shown = characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : characters.join('')
  return JSON.stringify(shown).replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, escape)
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`
}
