import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { schemaFault } from './schema-fault.ts'
import { spend, type SchemaSource } from './schema-source.ts'

/** What looking at one schema costs, next to looking at one option. */
const stepsPerSchema = 5

interface Shape {
  readonly says: string
  readonly fits: (value: unknown) => boolean
}

const typeNames: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const isText = (value: unknown): value is string => typeof value === 'string'
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isJsonObject(value)
const isSchemaList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema)

const text: Shape = { says: 'a text', fits: isText }
const flag: Shape = { says: 'true or false', fits: (value) => typeof value === 'boolean' }
const count: Shape = { says: 'a whole number that is not negative', fits: (value) => Number.isInteger(value) && (value as number) >= 0 }
const number: Shape = { says: 'a number', fits: (value) => typeof value === 'number' }
const list: Shape = { says: 'a list', fits: Array.isArray }
const schema: Shape = { says: 'a schema', fits: isSchema }
const schemas: Shape = { says: 'a list of schemas', fits: isSchemaList }
const schemasByName: Shape = { says: 'an object of schemas', fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema) }
const names: Shape = { says: 'a list of property names', fits: isNameList }

/** What each keyword of the dialects must look like; keywords that are not here mean nothing to JSON Schema. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['$schema', { says: 'one of the dialects 2020-12, 2019-09 and draft-07: "https://json-schema.org/draft/2020-12/schema"', fits: isDialect }],
  ...forEach(text, ['$id', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$comment', 'title', 'description']),
  ...forEach(text, ['format', 'pattern', 'contentEncoding', 'contentMediaType']),
  ...forEach(flag, ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated', '$recursiveAnchor']),
  ...forEach(count, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains']),
  ...forEach(number, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']),
  ['multipleOf', { says: 'a number above 0', fits: (value) => Number.isFinite(value) && (value as number) > 0 }],
  ['type', { says: 'one of string, number, integer, boolean, array, object, null, or a list of different ones', fits: isType }],
  ['enum', { says: 'a list with at least one option', fits: (value) => Array.isArray(value) && value.length > 0 }],
  ['examples', list],
  ['required', names],
  ['dependentRequired', { says: 'an object of lists of property names', fits: (value) => isJsonObject(value) && Object.values(value).every(isNameList) }],
  ['dependencies', { says: 'an object of schemas or lists of property names', fits: isDependencies }],
  ['$vocabulary', { says: 'an object', fits: isJsonObject }],
  ...forEach(schemas, ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...forEach(schemasByName, ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']),
  ...forEach(schema, ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalItems', 'additionalProperties']),
  ...forEach(schema, ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema']),
  ['items', { says: 'a schema', fits: (value) => isSchema(value) || isSchemaList(value) }],
])

/**
 * Checks a schema and every schema inside it against its own dialect, however deep, without recursion.
 *
 * @throws ConsentryError `FORM_SCHEMA_INVALID`
 * @see JSON Schema 2020-12 meta-schema
 */
export function checkDialect(root: JsonObject, source: SchemaSource, rootField?: string): void {
  const waiting: { readonly schema: JsonObject; readonly field: string | undefined }[] = [{ schema: root, field: rootField }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (source.checked.has(next.schema)) continue
    source.checked.add(next.schema)
    const keywords = Object.keys(next.schema)
    spend(source, Math.max(stepsPerSchema, keywords.length), next.field)
    for (const keyword of keywords) {
      const value = next.schema[keyword]
      const shape = shapes.get(keyword)
      if (shape === undefined) continue
      const isField = keyword === 'properties' && next.schema === root && rootField === undefined
      if (!shape.fits(value)) throw schemaFault(isField ? firstNonSchema(value) : next.field, `"${keyword}" must be ${shape.says}`)
      if (shape === schema || keyword === 'items') push(value, next.field)
      if (shape === schemas) push(value, next.field)
      if (shape === schemasByName || keyword === 'dependencies')
        for (const [name, inner] of Object.entries(value as JsonObject)) push(inner, isField ? name : next.field)
    }
  }

  function push(value: unknown, field: string | undefined): void {
    if (Array.isArray(value)) for (const inner of value) push(inner, field)
    else if (isJsonObject(value)) waiting.push({ schema: value, field })
  }
}

function forEach(shape: Shape, keywords: readonly string[]): readonly (readonly [string, Shape])[] {
  return keywords.map((keyword) => [keyword, shape])
}

function firstNonSchema(value: unknown): string | undefined {
  return isJsonObject(value) ? Object.keys(value).find((name) => !isSchema(value[name])) : undefined
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function isDependencies(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((inner) => isSchema(inner) || isNameList(inner))
}

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return typeNames.has(value)
  return value.length > 0 && value.every((name) => typeNames.has(name)) && new Set(value).size === value.length
}

function isDialect(value: unknown): boolean {
  return isText(value) && /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft\/2019-09|draft-07)\/schema#?$/u.test(value)
}
