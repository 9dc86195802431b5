import type { JsonObject } from './json.ts'
import type { Phrase } from './phrase.ts'

/** One value of a form, exactly as it goes out. @see MCP schema `ElicitResult.content` */
export type FieldValue = string | number | boolean | readonly string[]

/** Values by field name; a name that is absent was left out. A null-prototype object, because names are data. */
export type FormValues = Readonly<Record<string, FieldValue>>

export interface Choice<Value extends string | number | boolean = string | number | boolean> {
  readonly value: Value
  /** What a person reads; equals the value where the server gave no title. */
  readonly label: string
}

/** Why a field looks as if it asked for something that must not be asked in a form. */
export interface SecretMark {
  readonly sign: 'name' | 'title' | 'description' | 'format' | 'write-only' | 'pattern' | 'default'
}

interface FieldBase {
  /** The property's name: data, never a path. */
  readonly name: string
  /** The server's title, or the name. */
  readonly label: string
  readonly description?: string | undefined
  readonly required: boolean
  /** Present only if it fits its own field; whether it matches the field's patterns is settled before a person sees it. */
  readonly default?: FieldValue | undefined
  readonly secret?: SecretMark | undefined
  /** True where the schema contradicts itself (two constants, two formats), so that no value fits: the field can only stay out. */
  readonly unanswerable?: boolean | undefined
}

/** The formats that are checked; every other one is an annotation. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

export interface TextField extends FieldBase {
  readonly kind: 'text'
  readonly format?: TextFormat | undefined
  /** Unicode characters. */
  readonly minLength?: number | undefined
  /** Unicode characters. */
  readonly maxLength?: number | undefined
  /** ECMA-262 sources, all to be matched; one that cannot be used is left out (then `notes` of the form say so). */
  readonly patterns?: readonly string[] | undefined
  readonly constant?: string | undefined
}

export interface NumberField extends FieldBase {
  readonly kind: 'number' | 'integer'
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  /** The value is a multiple of each; more than one only where the schema says so in several places. */
  readonly multiplesOf?: readonly number[] | undefined
  readonly constant?: number | undefined
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean'
  readonly constant?: boolean | undefined
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice'
  readonly choices: readonly Choice[]
  /** The constraints that stand beside the list, checked as on a plain field. */
  readonly within?: TextField | NumberField | BooleanField | undefined
}

export interface MultipleChoiceField extends FieldBase {
  readonly kind: 'multiple-choice'
  readonly choices: readonly Choice<string>[]
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  /** The constraints that stand beside the list of choices, checked on each pick. */
  readonly each?: TextField | undefined
  readonly constant?: readonly string[] | undefined
}

export interface TextListField extends FieldBase {
  readonly kind: 'text-list'
  readonly each: TextField
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined
  readonly constant?: readonly string[] | undefined
}

export type Field = TextField | NumberField | BooleanField | ChoiceField | MultipleChoiceField | TextListField

/**
 * A server's `requestedSchema`, compiled once. The same object draws the form, checks what a person gives, and checks what leaves.
 * @see MCP 2025-11-25 client/elicitation "Requested Schema"
 */
export interface Form {
  /** In the server's order. */
  readonly fields: readonly Field[]
  /** What was set aside while compiling: `pattern-skipped`, a pattern that ECMA-262 does not know. */
  readonly notes: readonly Phrase[]
  /** The schema as it came, for "show the wire". */
  readonly schema: JsonObject
}

/** What is wrong with one field, as a catalogue key with its facts, so that every language can say it. */
export interface FieldFault {
  readonly field: string
  readonly problem: string
  /** What the sentence needs to know, such as a bound; never the value. */
  readonly facts?: JsonObject | undefined
  /** English; never contains the value. */
  readonly message: string
}
