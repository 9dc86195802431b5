import type { Field, NumberField } from '../protocol/index.ts'
import { english, type Bounds, type FormMessages, type NumberBounds } from './fault-messages.ts'

const mostLabels = 12

export interface ConstraintOptions {
  /** The choices are drawn anyway, and need not be said. */
  readonly areChoicesShown?: boolean | undefined
}

/** What a field accepts, for drawing: "3 to 50 characters", "whole number from 1 to 3", "one of: …". Empty where it accepts everything of its kind. */
export function describeConstraint(field: Field, messages: FormMessages = english, { areChoicesShown = false }: ConstraintOptions = {}): string {
  const said = 'choices' in field && areChoicesShown ? oneOf(field.choices, messages) : undefined
  return parts(field, messages)
    .filter((part) => part !== said)
    .join('; ')
}

function parts(field: Field, all: FormMessages): readonly string[] {
  const { constraints, formats } = all
  if (field.unanswerable) return [constraints.noValueFits]
  switch (field.kind) {
    case 'text':
      return [
        ...exactly(field.constant, all),
        ...bounded(field.minLength, field.maxLength, constraints.characters),
        ...(field.format === undefined ? [] : [formats[field.format]]),
        ...(field.patterns ?? []).map(constraints.pattern),
      ]
    case 'number':
    case 'integer':
      return [
        ...exactly(field.constant, all),
        ...(isBounded(field) || field.kind === 'integer' ? [constraints.number(boundsOf(field))] : []),
        ...(field.multiplesOf ?? []).map(constraints.multipleOf),
      ]
    case 'boolean':
      return exactly(field.constant, all)
    case 'choice':
      return [oneOf(field.choices, all), ...(field.within ? parts(field.within, all) : [])]
    case 'multiple-choice':
      return [
        ...exactly(field.constant?.join(', '), all),
        ...bounded(field.minItems, field.maxItems, constraints.choices),
        oneOf(field.choices, all),
        ...(field.each ? parts(field.each, all) : []),
      ]
    case 'text-list':
      return [
        ...exactly(field.constant?.join(', '), all),
        ...bounded(field.minItems, field.maxItems, constraints.entries),
        ...(field.uniqueItems ? [constraints.different] : []),
        ...parts(field.each, all).map(constraints.each),
      ]
    default:
      return field satisfies never
  }
}

function exactly(constant: string | number | boolean | undefined, { constraints }: FormMessages): readonly string[] {
  return constant === undefined ? [] : [constraints.exactly(String(constant))]
}

function bounded(minimum: number | undefined, maximum: number | undefined, say: (bounds: Bounds) => string): readonly string[] {
  return maximum === undefined && (minimum ?? 0) === 0 ? [] : [say({ minimum, maximum })]
}

function oneOf(choices: readonly { readonly label: string }[], { constraints }: FormMessages): string {
  const labels = choices.slice(0, mostLabels).map(({ label }) => label)
  return constraints.oneOf(labels, choices.length - labels.length)
}

function isBounded(field: NumberField): boolean {
  return [field.minimum, field.maximum, field.exclusiveMinimum, field.exclusiveMaximum].some((bound) => bound !== undefined)
}

/** Of two bounds on one side, the one that says more. */
function boundsOf({ kind, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberField): NumberBounds {
  const above = exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity) ? exclusiveMinimum : undefined
  const below = exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? Infinity) ? exclusiveMaximum : undefined
  return { minimum, maximum, above, below, isWhole: kind === 'integer' }
}
