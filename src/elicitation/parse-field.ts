import type {
  BooleanField,
  Choice,
  Field,
  FieldValue,
  Json,
  JsonObject,
  MultipleChoiceField,
  NumberField,
  TextField,
  TextListField,
} from '../protocol/index.ts'
import { checkValue } from './check-value.ts'
import { collectLayers, type Layers } from './collect-layers.ts'
import type { ChoiceLists, OptionType } from './parse-choices.ts'
import { readConstant, readListLimits, readNumberLimits, readTextLimits, type UsablePatterns } from './read-limits.ts'
import { schemaFault } from './schema-fault.ts'
import type { SchemaSource } from './schema-source.ts'

type ScalarType = 'string' | 'number' | 'integer' | 'boolean'

/** What every field says of itself, whatever its kind. */
type FieldBase = Pick<TextField, 'name' | 'label' | 'description' | 'required'>

/** What fields of one form share, so that each is read once. */
export interface SeenBefore {
  readonly patterns: UsablePatterns
  readonly choices: ChoiceLists
}

/** A field, and what else its schema says that decides whether it asks for a secret. */
export interface ParsedField {
  readonly field: Field
  /** Every schema that holds for the field, outermost first. */
  readonly schemas: readonly JsonObject[]
}

/**
 * Compiles one property into the kind of field that it is.
 *
 * @throws ConsentryError `FORM_SCHEMA_INVALID` when it is none of the kinds that a form can draw
 */
export function parseField(name: string, schema: unknown, required: boolean, source: SchemaSource, seen: SeenBefore): ParsedField {
  const layers = collectLayers(schema, name, source)
  const base = { name, label: firstText(layers, 'title') ?? name, ...describe(layers), required }
  const type = typeOf(layers, name)
  const field = type === 'array' ? parseList(base, layers, source, seen) : parseScalar(base, type, layers, source, seen)
  return { field: withDefault(field, layers), schemas: layers.schemas }
}

function parseScalar(base: FieldBase, type: ScalarType | undefined, layers: Layers, source: SchemaSource, seen: SeenBefore): Field {
  const choices = seen.choices.parse(layers, base.name, optionTypes[type ?? 'string'], source)
  if (choices === undefined && type === undefined) throw schemaFault(base.name, typeAdvice)
  const { field, isLimited } = parsePlain(base, type ?? 'string', layers, seen)
  if (choices === undefined) return field
  const unanswerable = choices.length === 0 || field.unanswerable === true
  return { ...base, kind: 'choice', choices, ...(isLimited && { within: field }), ...(unanswerable && { unanswerable }) }
}

type PlainField = TextField | NumberField | BooleanField

function parsePlain(base: FieldBase, type: ScalarType, { schemas }: Layers, seen: SeenBefore): { readonly field: PlainField; readonly isLimited: boolean } {
  switch (type) {
    case 'string':
      return limited<TextField>({ ...base, kind: 'text' }, { ...readTextLimits(schemas, base.name, seen.patterns), ...readConstant(schemas, isText) })
    case 'number':
    case 'integer':
      return limited<NumberField>({ ...base, kind: type }, { ...readNumberLimits(schemas), ...readConstant(schemas, isNumber) })
    case 'boolean':
      return limited<BooleanField>({ ...base, kind: 'boolean' }, readConstant(schemas, isBoolean))
    default:
      return type satisfies never
  }
}

function limited<Plain extends PlainField>(field: Plain, limits: Partial<Plain>): { readonly field: Plain; readonly isLimited: boolean } {
  return { field: { ...field, ...limits }, isLimited: Object.keys(limits).length > 0 }
}

/** A multiple choice where the items have options, else a list of texts. */
function parseList(base: FieldBase, layers: Layers, source: SchemaSource, seen: SeenBefore): MultipleChoiceField | TextListField {
  if (layers.options.length > 0 || layers.schemas.some((schema) => Object.hasOwn(schema, 'enum')))
    throw schemaFault(base.name, 'a list cannot be an option: put the options into "items"')
  const items = mergeLayers(
    layers.schemas.filter((schema) => Object.hasOwn(schema, 'items')).map((schema) => collectLayers(schema['items'], base.name, source)),
  )
  const limits = { ...readListLimits(layers.schemas), ...readConstant(layers.schemas, isTextList) }
  const itemType = typeOf(items, base.name)
  if ((itemType !== undefined && itemType !== 'string') || items.isNullable || items.schemas.length === 0) throw schemaFault(base.name, listAdvice)
  const each = parseScalar({ name: base.name, label: base.label, required: false }, itemType, items, source, seen)
  if (each.kind === 'text') return { ...base, kind: 'text-list', each, ...limits }
  if (each.kind !== 'choice') throw schemaFault(base.name, listAdvice)
  const { uniqueItems: _, ...pickLimits } = limits
  const within = each.within?.kind === 'text' ? { each: each.within } : {}
  return { ...base, kind: 'multiple-choice', choices: each.choices as readonly Choice<string>[], ...within, ...pickLimits }
}

const typeAdvice = 'must say its "type": string, number, integer, boolean, or array with "items" of texts'
const listAdvice = 'a list must have "items" that are texts: {"type": "string"}, with "enum" or "anyOf" for options'
const typeNames: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array'])

/** The one type that every layer agrees on; undefined where none says any. `null` beside it only makes it optional. */
function typeOf({ schemas }: Layers, field: string): ScalarType | 'array' | undefined {
  let type: string | undefined
  for (const schema of schemas) {
    if (!Object.hasOwn(schema, 'type')) continue
    const said = ([schema['type']].flat() as readonly string[]).filter((name) => name !== 'null')
    const [only] = said
    if (only === 'object') throw schemaFault(field, 'objects inside a form cannot be drawn: give each of its properties a field of its own')
    if (said.length !== 1 || only === undefined || !typeNames.has(only)) throw schemaFault(field, `has no single type: it ${typeAdvice}`)
    type = type === undefined || type === only ? only : narrower(type, only, field)
  }
  return type as ScalarType | 'array' | undefined
}

function narrower(one: string, other: string, field: string): string {
  if ((one === 'integer' && other === 'number') || (one === 'number' && other === 'integer')) return 'integer'
  throw schemaFault(field, `has two types, ${one} and ${other}: choose one`)
}

function mergeLayers(parts: readonly Layers[]): Layers {
  return {
    schemas: parts.flatMap(({ schemas }) => schemas),
    options: parts.flatMap(({ options }) => options),
    isNullable: parts.some(({ isNullable }) => isNullable),
  }
}

/** The outermost default counts, if it fits. One that does not is neither repaired nor replaced by another. */
function withDefault(field: Field, { schemas }: Layers): Field {
  const holder = schemas.find((schema) => Object.hasOwn(schema, 'default'))
  if (holder === undefined) return field
  const checked = checkValue(field, holder['default'])
  return 'fault' in checked ? field : { ...field, default: checked.value }
}

function describe(layers: Layers): { readonly description?: string } {
  const description = firstText(layers, 'description')
  return description === undefined ? {} : { description }
}

function firstText({ schemas }: Layers, keyword: 'title' | 'description'): string | undefined {
  const value = schemas.find((schema) => Object.hasOwn(schema, keyword) && schema[keyword] !== '')?.[keyword]
  return isText(value) ? value : undefined
}

const optionTypes: Readonly<Record<ScalarType, OptionType>> = {
  string: { says: 'a text', fits: isText },
  number: { says: 'a number', fits: isNumber },
  integer: { says: 'a whole number between -9007199254740991 and 9007199254740991', fits: (value): value is number => Number.isSafeInteger(value) },
  boolean: { says: 'true or false', fits: isBoolean },
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isTextList(value: FieldValue | Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}
