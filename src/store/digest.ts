import { hash } from 'node:crypto'
import { isJsonObject, type Json } from '../protocol/index.ts'

/** SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** The one spelling of a value: keys in order, no blanks, nothing that is undefined. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((element: Json) => canonicalJson(element)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  let members = ''
  for (const key of Object.keys(value).toSorted()) {
    if (value[key] !== undefined) members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`
  }
  return `{${members}}`
}
