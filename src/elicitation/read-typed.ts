import type { Field } from '../protocol/index.ts'

/** JSON's own grammar of a number: nothing else is taken for one. */
const writtenNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/u

/**
 * What a line that somebody typed means for a field: a number where it is written as one, the lines of a list, else the text as it is.
 * A blank line is `null`: left blank on purpose. What does not fit is handed on as it is, so that the check can say so.
 */
export function readTyped(field: Field, typed: string): string | number | readonly string[] | null {
  if (typed === '') return null
  switch (field.kind) {
    case 'number':
    case 'integer':
      return writtenNumber.test(typed.trim()) ? Number(typed.trim()) : typed.trim() === '' ? null : typed
    case 'multiple-choice':
    case 'text-list':
      return typed.replace(/\r?\n$/u, '').split(/\r?\n/u)
    case 'text':
    case 'boolean':
    case 'choice':
      return typed
    default:
      return field satisfies never
  }
}
