import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { schemaFault } from './schema-fault.ts'
import { spend, spendOnValue, type SchemaSource } from './schema-source.ts'

/**
 * Follows a `$ref` inside the schema that it stands in. Nothing is ever fetched.
 *
 * @throws ConsentryError `FORM_SCHEMA_INVALID` when it leads elsewhere, or to nothing
 * @see RFC 6901, section 6
 */
export function resolveReference(reference: string, source: SchemaSource, field: string | undefined): JsonObject {
  spend(source, 1, field)
  spendOnValue(source, reference, field)
  if (!/^#(?:$|\/)/u.test(reference))
    throw schemaFault(field, '"$ref" must be a JSON pointer into the same schema, such as "#/$defs/Name": put the definition there')
  let target: unknown = source.root
  for (const name of pointerNames(reference, field)) {
    target = step(target, name)
    if (target === undefined) throw schemaFault(field, '"$ref" leads to nothing: add the definition under "$defs", or correct the reference')
  }
  if (!isJsonObject(target)) throw schemaFault(field, '"$ref" must lead to a schema that says what the field is')
  return target
}

function pointerNames(reference: string, field: string | undefined): readonly string[] {
  let pointer: string
  try {
    pointer = decodeURIComponent(reference.slice(1))
  } catch {
    throw schemaFault(field, '"$ref" is not percent-encoded correctly')
  }
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Own names only: `toString` is not a definition. */
function step(from: unknown, name: string): unknown {
  if (Array.isArray(from)) return /^(?:0|[1-9]\d*)$/u.test(name) ? (from as readonly unknown[])[Number(name)] : undefined
  return isJsonObject(from) && Object.hasOwn(from, name) ? from[name] : undefined
}
