import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import { checkDialect } from './check-dialect.ts'
import { resolveReference } from './resolve-reference.ts'
import { schemaFault } from './schema-fault.ts'
import { spend, spendOnValue, type SchemaSource } from './schema-source.ts'

/** Schemas that all hold for the same value, outermost first: the field itself, then what stands behind its references. */
export interface Layers {
  readonly schemas: readonly JsonObject[]
  /** Lists of `const` from `anyOf` and `oneOf`, outermost first. */
  readonly options: readonly (readonly Json[])[]
  /** True where a branch or a type said `null`: an optional value. `null` itself is never sent. */
  readonly isNullable: boolean
}

const longestChain = 200

/** Assertions and applicators that a form cannot show: skipping one would send answers that do not match. */
const refusedKeywords: ReadonlySet<string> = wordSet(
  'not if then else dependentRequired dependentSchemas dependencies $dynamicRef $recursiveRef ' +
    'patternProperties propertyNames minProperties maxProperties contains minContains maxContains prefixItems additionalItems unevaluatedItems',
)

/** What an option cannot say beside its `const`, its title and its type: it would be a branch, not an option. */
const constraintKeywords: ReadonlySet<string> = wordSet(
  'enum pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'items minItems maxItems uniqueItems properties required allOf anyOf oneOf',
)

const branchAdvice = 'branches cannot be drawn: use "anyOf" or "oneOf" only for options {"const": VALUE, "title": TEXT}, or "anyOf": [TYPE, {"type": "null"}]'

/** @throws ConsentryError `FORM_SCHEMA_INVALID` when a keyword asserts something that no form can hold to */
export function refuseKeywords(schema: JsonObject, field: string | undefined, more?: ReadonlySet<string>): void {
  for (const keyword of Object.keys(schema))
    if (refusedKeywords.has(keyword) || more?.has(keyword))
      throw schemaFault(field, `"${keyword}" cannot be used in a form: leave it out and check the answer in the server`)
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** @throws ConsentryError `FORM_SCHEMA_INVALID` */
export function collectLayers(schema: unknown, field: string, source: SchemaSource): Layers {
  const schemas: JsonObject[] = []
  const options: (readonly Json[])[] = []
  const path = new Set<JsonObject>()
  let isNullable = false
  add(schema)
  return { schemas, options, isNullable }

  function add(next: unknown): void {
    if (!isJsonObject(next)) throw schemaFault(field, 'must be an object that says its "type"')
    if (path.has(next)) throw schemaFault(field, '"$ref" leads back to itself')
    if (path.size >= longestChain) throw schemaFault(field, `more than ${longestChain} references follow one another`)
    spend(source, 1, field)
    checkDialect(next, source, field)
    if (!source.accepted.has(next)) refuseKeywords(next, field)
    source.accepted.add(next)
    schemas.push(next)
    for (const keyword of ['default', 'const']) if (Object.hasOwn(next, keyword)) spendOnValue(source, next[keyword], field)
    if (saysNull(next)) isNullable = true
    path.add(next)
    if (Object.hasOwn(next, '$ref')) add(resolveReference(next['$ref'] as string, source, field))
    if (Object.hasOwn(next, 'allOf')) addOnly(next['allOf'] as readonly Json[])
    if (Object.hasOwn(next, 'anyOf')) addBranches(next['anyOf'] as readonly Json[])
    if (Object.hasOwn(next, 'oneOf')) addOptions(next['oneOf'] as readonly Json[])
    path.delete(next)
  }

  function addOnly(members: readonly Json[]): void {
    if (members.length > 1) throw schemaFault(field, '"allOf" cannot be used in a form: write its keywords into the field itself')
    add(members[0])
  }

  /** Either `[T, {"type": "null"}]`, an optional T, or a list of options. */
  function addBranches(branches: readonly Json[]): void {
    const others = branches.filter((branch) => !isNull(branch))
    if (others.length < branches.length) isNullable = true
    if (others.length === 1 && branches.length > 1 && !isBareOption(others[0])) add(others[0])
    else addOptions(others)
  }

  function addOptions(branches: readonly Json[]): void {
    let resolved = source.options.get(branches)
    if (resolved === undefined) {
      spend(source, branches.length, field)
      resolved = branches.map((branch) => resolveOption(branch, field, source))
      if (!resolved.some(isOption) || !resolved.every(isOption)) throw schemaFault(field, branchAdvice)
      source.options.set(branches, resolved)
    }
    options.push(resolved)
  }
}

/** An option may stand behind references; what is written beside a reference wins over what is behind it. */
function resolveOption(branch: Json, field: string, source: SchemaSource): Json {
  let option = branch
  for (let hops = 0; isJsonObject(option) && Object.hasOwn(option, '$ref'); hops += 1) {
    if (hops >= longestChain) throw schemaFault(field, '"$ref" leads back to itself')
    const { $ref, ...beside } = option
    const target = resolveReference($ref as string, source, field)
    checkDialect(target, source, field)
    option = { ...target, ...beside }
  }
  if (isJsonObject(option)) refuseKeywords(option, field, constraintKeywords)
  return option
}

/** A type beside `null`, or the older spelling that generators for OpenAPI use. */
function saysNull(schema: JsonObject): boolean {
  return (Array.isArray(schema['type']) && schema['type'].includes('null')) || (Object.hasOwn(schema, 'nullable') && schema['nullable'] === true)
}

function isNull(branch: Json): boolean {
  if (!isJsonObject(branch)) return false
  const { type } = branch
  return type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')
}

function isOption(branch: Json): boolean {
  return isJsonObject(branch) && Object.hasOwn(branch, 'const')
}

/** A single `const` without a type is a choice of one: as a field it would not say what it is. */
function isBareOption(branch: Json | undefined): boolean {
  return branch !== undefined && isOption(branch) && !Object.hasOwn(branch as JsonObject, 'type')
}
