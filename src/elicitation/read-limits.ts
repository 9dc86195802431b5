import type { Json, JsonObject, NumberField, TextField, TextFormat, TextListField } from '../protocol/index.ts'
import { isTextFormat } from './formats.ts'
import { compilesPattern, weighPattern } from './pattern-dialect.ts'

/** Which of a form's patterns can be used, each looked at once and within a bound on the work. */
export class UsablePatterns {
  /** Names of the fields that lost a pattern. */
  readonly skippedIn: Set<string> = new Set()
  readonly #usable = new Map<string, boolean>()
  #weightLeft = 10_000

  /** Keeps as well what is too heavy to be looked at now: then the matcher decides. */
  select(patterns: readonly string[], field: string): readonly string[] {
    const usable = patterns.filter((pattern) => this.#isUsable(pattern))
    if (usable.length < patterns.length) this.skippedIn.add(field)
    return usable
  }

  #isUsable(pattern: string): boolean {
    const known = this.#usable.get(pattern)
    if (known !== undefined) return known
    this.#weightLeft -= weighPattern(pattern)
    const usable = this.#weightLeft < 0 || compilesPattern(pattern)
    this.#usable.set(pattern, usable)
    return usable
  }
}

export function readTextLimits(
  schemas: readonly JsonObject[],
  field: string,
  usable: UsablePatterns,
): Pick<TextField, 'format' | 'minLength' | 'maxLength' | 'patterns' | 'unanswerable'> {
  const formats = new Set(own(schemas, 'format').filter(isTextFormat))
  const patterns = usable.select([...new Set(own(schemas, 'pattern') as readonly string[])], field)
  const [format] = formats
  return {
    ...present<'format', TextFormat>('format', format),
    ...highest(schemas, 'minLength'),
    ...lowest(schemas, 'maxLength'),
    ...(patterns.length > 0 && { patterns }),
    ...(formats.size > 1 && { unanswerable: true }),
  }
}

export function readNumberLimits(
  schemas: readonly JsonObject[],
): Pick<NumberField, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multiplesOf'> {
  const multiplesOf = [...new Set(own(schemas, 'multipleOf') as readonly number[])]
  return {
    ...highest(schemas, 'minimum'),
    ...lowest(schemas, 'maximum'),
    ...highest(schemas, 'exclusiveMinimum'),
    ...lowest(schemas, 'exclusiveMaximum'),
    ...(multiplesOf.length > 0 && { multiplesOf }),
  }
}

export function readListLimits(schemas: readonly JsonObject[]): Pick<TextListField, 'minItems' | 'maxItems' | 'uniqueItems'> {
  const uniqueItems = own(schemas, 'uniqueItems').includes(true)
  return { ...highest(schemas, 'minItems'), ...lowest(schemas, 'maxItems'), ...(uniqueItems && { uniqueItems }) }
}

/** A constant of another type, or two different ones: nothing fits. */
export function readConstant<Value extends Json>(
  schemas: readonly JsonObject[],
  fits: (value: Json) => value is Value,
): { readonly constant?: Value; readonly unanswerable?: true } {
  const [first, ...others] = own(schemas, 'const')
  if (first === undefined) return {}
  if (!fits(first) || others.some((other) => !isSame(first, other))) return { unanswerable: true }
  return { constant: first }
}

function isSame(one: Json, other: Json): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return one.length === other.length && one.every((entry, index) => entry === other[index])
}

/** What every layer says of a keyword; its shape was checked against the dialect before. */
function own(schemas: readonly JsonObject[], keyword: string): readonly Json[] {
  return schemas.flatMap((schema) => (Object.hasOwn(schema, keyword) ? [schema[keyword] as Json] : []))
}

function highest<Keyword extends string>(schemas: readonly JsonObject[], keyword: Keyword): { readonly [Key in Keyword]?: number } {
  return bound(keyword, own(schemas, keyword) as readonly number[], (one, other) => Math.max(one, other))
}

function lowest<Keyword extends string>(schemas: readonly JsonObject[], keyword: Keyword): { readonly [Key in Keyword]?: number } {
  return bound(keyword, own(schemas, keyword) as readonly number[], (one, other) => Math.min(one, other))
}

function bound<Keyword extends string>(
  keyword: Keyword,
  values: readonly number[],
  pick: (one: number, other: number) => number,
): { readonly [Key in Keyword]?: number } {
  const [first, ...others] = values
  return present(keyword, first === undefined ? undefined : others.reduce(pick, first))
}

function present<Keyword extends string, Value>(keyword: Keyword, value: Value | undefined): { readonly [Key in Keyword]?: Value } {
  return (value === undefined ? {} : { [keyword]: value }) as { readonly [Key in Keyword]?: Value }
}
