import type {
  BooleanField,
  Choice,
  ChoiceField,
  Field,
  FieldFault,
  FieldValue,
  MultipleChoiceField,
  NumberField,
  TextField,
  TextListField,
} from '../protocol/index.ts'
import { isMultipleOf } from './decimal.ts'
import type { FaultFacts, FaultKey } from './fault-messages.ts'
import { fieldFault } from './field-fault.ts'
import { hasFormat } from './formats.ts'

/** A pattern that is still to be matched, under a time limit, before the value counts as fitting. */
export interface PendingPattern {
  readonly pattern: string
  readonly text: string
  /** Within a list, counted from 1. */
  readonly entry?: number | undefined
}

export type CheckedValue = { readonly value: FieldValue; readonly pending: readonly PendingPattern[] } | { readonly fault: FieldFault }

type Faults = <Key extends FaultKey>(problem: Key, facts: FaultFacts[Key]) => FieldFault

/**
 * Checks one value against everything its field says but the patterns, which it hands back. Never changes the value.
 *
 * The check looks at own data only, so that a hostile answer cannot run code or borrow from prototypes.
 */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const fault: Faults = (problem, facts) => fieldFault(field.name, problem, facts)
  if (field.unanswerable) return { fault: fault('no-value-fits', {}) }
  switch (field.kind) {
    case 'text':
      return checkText(field, value, fault)
    case 'number':
    case 'integer':
      return checkNumber(field, value, fault)
    case 'boolean':
      return checkBoolean(field, value, fault)
    case 'choice':
      return checkChoice(field, value, fault)
    case 'multiple-choice':
      return checkPicks(field, value, fault)
    case 'text-list':
      return checkTexts(field, value, fault)
    default:
      return field satisfies never
  }
}

function checkText(field: TextField, value: unknown, fault: Faults): CheckedValue {
  if (typeof value !== 'string') return { fault: fault('not-a-text', {}) }
  const { minLength = 0, maxLength = Infinity, format, constant, patterns = [] } = field
  const length = minLength > 0 || maxLength < value.length ? countCharacters(value) : 0
  if (constant !== undefined && value !== constant) return { fault: fault('not-the-constant', {}) }
  if (length < minLength) return { fault: fault('too-short', { minimum: minLength }) }
  if (length > maxLength) return { fault: fault('too-long', { maximum: maxLength }) }
  if (format !== undefined && !hasFormat(format, value)) return { fault: fault('wrong-format', { format }) }
  return { value, pending: patterns.map((pattern) => ({ pattern, text: value })) }
}

function checkNumber(field: NumberField, value: unknown, fault: Faults): CheckedValue {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: fault('not-a-number', {}) }
  if (field.kind === 'integer' && !Number.isInteger(value)) return { fault: fault('not-a-whole-number', {}) }
  if (field.kind === 'integer' && !Number.isSafeInteger(value)) return { fault: fault('number-too-large', {}) }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multiplesOf = [], constant } = field
  if (constant !== undefined && value !== constant) return { fault: fault('not-the-constant', {}) }
  if (minimum !== undefined && value < minimum) return { fault: fault('too-small', { minimum }) }
  if (maximum !== undefined && value > maximum) return { fault: fault('too-large', { maximum }) }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return { fault: fault('not-above', { minimum: exclusiveMinimum }) }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return { fault: fault('not-below', { maximum: exclusiveMaximum }) }
  const missed = multiplesOf.find((divisor) => !isMultipleOf(value, divisor))
  return missed === undefined ? { value, pending: [] } : { fault: fault('not-a-multiple', { of: missed }) }
}

function checkBoolean({ constant }: BooleanField, value: unknown, fault: Faults): CheckedValue {
  if (typeof value !== 'boolean') return { fault: fault('not-yes-or-no', {}) }
  return constant === undefined || value === constant ? { value, pending: [] } : { fault: fault('not-the-constant', {}) }
}

function checkChoice({ choices, within }: ChoiceField, value: unknown, fault: Faults): CheckedValue {
  const chosen = choicesByValue(choices).get(value)
  if (chosen === undefined) return { fault: fault('not-an-option', { count: choices.length }) }
  return within === undefined ? { value: chosen.value, pending: [] } : checkValue(within, value)
}

/** A multiple choice is a set: the same pick twice would let two clicks stand for one. */
function checkPicks(field: MultipleChoiceField, value: unknown, fault: Faults): CheckedValue {
  const picks = readTexts(value, field, fault)
  if ('fault' in picks) return picks
  const offered = choicesByValue(field.choices)
  const stranger = picks.texts.findIndex((pick) => !offered.has(pick))
  if (stranger >= 0) return { fault: fieldFault(field.name, 'not-an-option', { count: offered.size }, stranger + 1) }
  if (new Set(picks.texts).size < picks.texts.length) return { fault: fault('picked-twice', {}) }
  return field.each === undefined ? { value: picks.texts, pending: [] } : checkEach(field.each, picks.texts)
}

const byValue = new WeakMap<readonly Choice[], ReadonlyMap<unknown, Choice>>()

function choicesByValue(choices: readonly Choice[]): ReadonlyMap<unknown, Choice> {
  const known = byValue.get(choices) ?? new Map(choices.map((choice) => [choice.value, choice]))
  byValue.set(choices, known)
  return known
}

function checkTexts(field: TextListField, value: unknown, fault: Faults): CheckedValue {
  const given = readTexts(value, field, fault)
  if ('fault' in given) return given
  if (field.uniqueItems && new Set(given.texts).size < given.texts.length) return { fault: fault('listed-twice', {}) }
  return checkEach(field.each, given.texts)
}

function readTexts(
  value: unknown,
  { minItems = 0, maxItems = Infinity, constant }: MultipleChoiceField | TextListField,
  fault: Faults,
): { readonly texts: readonly string[] } | { readonly fault: FieldFault } {
  if (!Array.isArray(value)) return { fault: fault('not-a-list', {}) }
  const texts: readonly unknown[] = Array.from(value)
  if (!texts.every((entry) => typeof entry === 'string')) return { fault: fault('not-texts', {}) }
  if (texts.length < minItems) return { fault: fault('too-few', { minimum: minItems }) }
  if (texts.length > maxItems) return { fault: fault('too-many', { maximum: maxItems }) }
  if (constant !== undefined && !isSameList(texts, constant)) return { fault: fault('not-the-constant', {}) }
  return { texts }
}

function checkEach(each: TextField, texts: readonly string[]): CheckedValue {
  if (each.unanswerable && texts.length > 0) return { fault: fieldFault(each.name, 'no-value-fits', {}) }
  const pending: PendingPattern[] = []
  for (const [index, text] of texts.entries()) {
    const entry = index + 1
    const checked = checkText(each, text, (problem, facts) => fieldFault(each.name, problem, facts, entry))
    if ('fault' in checked) return checked
    for (const pattern of checked.pending) pending.push({ ...pattern, entry })
  }
  return { value: texts, pending }
}

function isSameList(texts: readonly string[], constant: readonly string[]): boolean {
  return texts.length === constant.length && texts.every((text, index) => text === constant[index])
}

/** Unicode characters, not UTF-16 units, without building them. @see JSON Schema 2020-12 validation, "maxLength" */
function countCharacters(text: string): number {
  let pairs = 0
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    pairs += 1
    index += 1
  }
  return text.length - pairs
}
