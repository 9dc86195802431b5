import { isJsonObject, type Choice, type Json, type JsonObject } from '../protocol/index.ts'
import type { Layers } from './collect-layers.ts'
import { schemaFault } from './schema-fault.ts'
import { spend, type SchemaSource } from './schema-source.ts'

type ChoiceValue = string | number | boolean

/** What an option has to be, in words and as a check. */
export interface OptionType {
  readonly says: string
  readonly fits: (value: unknown) => value is ChoiceValue
}

/** Lists that many fields share, read once. */
export class ChoiceLists {
  readonly #labels = new WeakMap<object, Map<string, Labels>>()
  readonly #choices = new WeakMap<Labels, readonly Choice[]>()

  /**
   * The options that hold in every layer, each value once, in the order and with the labels of the outermost list.
   *
   * @returns undefined where the field has no list of options
   * @throws ConsentryError `FORM_SCHEMA_INVALID` when an option cannot be sent, or would be shown with two names
   */
  parse(layers: Layers, field: string, type: OptionType, source: SchemaSource): readonly Choice[] | undefined {
    const lists = [
      ...layers.options.map((branches) => ({ of: branches as object, read: () => titledOptions(branches) })),
      ...layers.schemas.filter((schema) => Object.hasOwn(schema, 'enum')).map((schema) => ({ of: schema as object, read: () => plainOptions(schema) })),
    ]
    const [first, ...others] = lists.map(({ of, read }) => this.#labelsOf(of, read, field, type, layers.isNullable, source))
    if (first === undefined) return undefined
    if (others.length === 0) return this.#choicesOf(first)
    spend(source, first.size, field)
    const offered = [...first].filter(([value]) => others.every((labels) => labels.has(value)))
    return tellApart(offered.map(([value, label]) => ({ value, label: label ?? others.map((labels) => labels.get(value)).find(isText) ?? String(value) })))
  }

  #labelsOf(of: object, read: () => readonly Option[], field: string, type: OptionType, isNullable: boolean, source: SchemaSource): Labels {
    const known = this.#labels.get(of) ?? new Map<string, Labels>()
    this.#labels.set(of, known)
    const key = `${isNullable} ${type.says}`
    let labels = known.get(key)
    if (labels === undefined) {
      const options = read()
      spend(source, options.length, field)
      labels = labelByValue(options, field, type, isNullable)
      known.set(key, labels)
    }
    return labels
  }

  #choicesOf(labels: Labels): readonly Choice[] {
    const choices = this.#choices.get(labels) ?? tellApart([...labels].map(([value, label]) => ({ value, label: label ?? String(value) })))
    this.#choices.set(labels, choices)
    return choices
  }
}

type Labels = ReadonlyMap<ChoiceValue, string | undefined>

interface Option {
  readonly value: Json | undefined
  readonly title: string | undefined
  readonly type?: Json | undefined
}

function titledOptions(branches: readonly Json[]): readonly Option[] {
  return branches.filter(isJsonObject).map((branch) => ({ value: branch['const'], title: textOrNothing(branch['title']), type: branch['type'] }))
}

function plainOptions(schema: JsonObject): readonly Option[] {
  const names = Object.hasOwn(schema, 'enumNames') && Array.isArray(schema['enumNames']) ? (schema['enumNames'] as readonly Json[]) : []
  return (schema['enum'] as readonly Json[]).map((value, index) => ({ value, title: textOrNothing(names[index]) }))
}

function labelByValue(options: readonly Option[], field: string, type: OptionType, isNullable: boolean): Labels {
  const labels = new Map<ChoiceValue, string | undefined>()
  for (const { value, title, type: said } of options) {
    if (value === null && isNullable) continue
    if (!type.fits(value) || !agrees(said, value)) throw schemaFault(field, `every option must be ${type.says}`)
    const isRepeated = labels.has(value)
    if (isRepeated && (labels.get(value) ?? String(value)) !== (title ?? String(value)))
      throw schemaFault(field, 'two options send the same value under different titles: give each its own value')
    if (!isRepeated) labels.set(value, title)
  }
  if (labels.size === 0) throw schemaFault(field, 'the list of options is empty')
  return labels
}

/** Whether the type that an option says of itself is the one it has. */
function agrees(said: Json | undefined, value: ChoiceValue): boolean {
  if (said === undefined) return true
  const types: readonly unknown[] = Array.isArray(said) ? (said as readonly unknown[]) : [said]
  return types.includes(typeof value) || (types.includes('integer') && Number.isSafeInteger(value))
}

/** Different values under labels that look the same are shown with their values. */
function tellApart(choices: readonly Choice[]): readonly Choice[] {
  const looks = choices.map(({ label }) => look(label))
  if (new Set(looks).size === choices.length) return choices
  const times = new Map<string, number>()
  for (const each of looks) times.set(each, (times.get(each) ?? 0) + 1)
  const marked = choices.map(({ value, label }, index) => ({ value, label: times.get(looks[index]!) === 1 ? label : withValue(value, label) }))
  const isClear = new Set(marked.map(({ label }) => look(label))).size === marked.length
  return isClear ? marked : choices.map(({ value, label }) => ({ value, label: withValue(value, label) }))
}

function withValue(value: ChoiceValue, label: string): string {
  return `${label} (${JSON.stringify(value)})`
}

function look(label: string): string {
  if (/^[!-~]*$/u.test(label)) return label
  return label
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

function textOrNothing(title: Json | undefined): string | undefined {
  return isText(title) && title !== '' ? title : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
