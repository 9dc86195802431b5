import { isJsonObject, type Field, type Form, type JsonObject, type Phrase } from '../protocol/index.ts'
import { checkDialect } from './check-dialect.ts'
import { refuseKeywords } from './collect-layers.ts'
import { english } from './fault-messages.ts'
import { markSecrets } from './find-secrets.ts'
import { ChoiceLists } from './parse-choices.ts'
import { parseField } from './parse-field.ts'
import { UsablePatterns } from './read-limits.ts'
import { quoteName, schemaFault } from './schema-fault.ts'
import type { SchemaSource } from './schema-source.ts'

const mostFields = 2000
const mostSteps = 50_000
const refusedAtRoot: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const'])

/**
 * Compiles a server's `requestedSchema`, as it came over the wire, into the form that draws, checks and does the last check.
 *
 * Refuses what it cannot hold to; sets aside, with a note, only a pattern that ECMA-262 does not know. Fetches nothing.
 *
 * @throws ConsentryError `FORM_SCHEMA_INVALID`, saying what the server's author has to change; `data.field` names the field
 * @see MCP 2025-11-25 client/elicitation "Requested Schema"; basic/index "JSON Schema Usage"
 */
export function parseForm(requestedSchema: unknown): Form {
  const schema = readRoot(requestedSchema)
  const source: SchemaSource = { root: schema, checked: new WeakSet(), accepted: new WeakSet(), options: new WeakMap(), stepsLeft: mostSteps }
  checkDialect(schema, source)
  refuseKeywords(schema, undefined, refusedAtRoot)
  const properties = schema['properties'] as JsonObject
  const required = readRequired(schema, properties)
  const seen = { patterns: new UsablePatterns(), choices: new ChoiceLists() }
  const parsed = Object.keys(properties).map((name) => parseField(name, properties[name], required.has(name), source, seen))
  const marks = markSecrets(parsed)
  const fields = parsed.map(({ field }, index): Field => (marks[index] === undefined ? field : { ...field, secret: marks[index] }))
  return { fields, notes: [...seen.patterns.skippedIn].map(patternSkipped), schema }
}

function patternSkipped(name: string): Phrase {
  return { key: 'pattern-skipped', facts: { field: name }, sentence: english.notes.patternSkipped(quoteName(name)) }
}

function readRoot(requestedSchema: unknown): JsonObject {
  if (!isJsonObject(requestedSchema)) throw schemaFault(undefined, rootAdvice)
  const type = Object.hasOwn(requestedSchema, 'type') ? requestedSchema['type'] : undefined
  const properties = Object.hasOwn(requestedSchema, 'properties') ? requestedSchema['properties'] : undefined
  if (type !== 'object' || !isJsonObject(properties)) throw schemaFault(undefined, rootAdvice)
  if (Object.hasOwn(properties, '__proto__')) throw schemaFault('__proto__', 'cannot be the name of a field: many programs drop it unseen. Choose another')
  if (Object.keys(properties).length > mostFields) throw schemaFault(undefined, `has more than ${mostFields} fields: ask for less at once`)
  return requestedSchema
}

const rootAdvice = 'must be {"type": "object", "properties": {...}}, with one property for each field'

function readRequired(schema: JsonObject, properties: JsonObject): ReadonlySet<string> {
  const names = Object.hasOwn(schema, 'required') ? (schema['required'] as readonly string[]) : []
  for (const name of names)
    if (!Object.hasOwn(properties, name)) throw schemaFault(name, 'is required, but is not in "properties": add it there, or take it out of "required"')
  return new Set(names)
}
