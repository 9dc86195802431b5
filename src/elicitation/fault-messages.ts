import type { TextFormat } from '../protocol/index.ts'

/** Every fault that a field's value can have, with what the sentence about it needs to know. Never the value itself, never words of the server. */
export interface FaultFacts {
  readonly missing: object
  readonly 'not-asked': object
  readonly 'not-an-object': object
  readonly 'no-value-fits': object
  readonly 'not-a-text': object
  readonly 'half-character': object
  readonly 'not-a-number': object
  readonly 'not-a-whole-number': object
  readonly 'number-too-large': object
  readonly 'not-yes-or-no': object
  readonly 'not-a-list': object
  readonly 'not-texts': object
  readonly 'not-an-option': { readonly count: number }
  readonly 'picked-twice': object
  readonly 'listed-twice': object
  readonly 'too-short': { readonly minimum: number }
  readonly 'too-long': { readonly maximum: number }
  readonly 'too-few': { readonly minimum: number }
  readonly 'too-many': { readonly maximum: number }
  readonly 'too-small': { readonly minimum: number }
  readonly 'too-large': { readonly maximum: number }
  readonly 'not-above': { readonly minimum: number }
  readonly 'not-below': { readonly maximum: number }
  readonly 'not-a-multiple': { readonly of: number }
  readonly 'not-the-constant': object
  readonly 'wrong-format': { readonly format: TextFormat }
  readonly 'pattern-not-matched': object
  readonly 'pattern-not-decided': object
}

export type FaultKey = keyof FaultFacts

/** What a field asks for, and what may be wrong with it, in one language. */
export interface FormMessages {
  readonly faults: { readonly [Key in FaultKey]: (facts: FaultFacts[Key]) => string }
  /** A fault of one entry of a list, counted from 1. */
  readonly inEntry: (entry: number, fault: string) => string
  readonly formats: Readonly<Record<TextFormat, string>>
  readonly constraints: {
    readonly characters: (bounds: Bounds) => string
    readonly entries: (bounds: Bounds) => string
    readonly choices: (bounds: Bounds) => string
    readonly number: (bounds: NumberBounds) => string
    readonly multipleOf: (of: number) => string
    readonly pattern: (source: string) => string
    readonly exactly: (value: string) => string
    readonly oneOf: (labels: readonly string[], more: number) => string
    readonly different: string
    readonly each: (constraint: string) => string
    readonly noValueFits: string
  }
  readonly notes: { readonly patternSkipped: (label: string) => string }
}

export interface Bounds {
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

export interface NumberBounds extends Bounds {
  readonly above?: number | undefined
  readonly below?: number | undefined
  readonly isWhole: boolean
}

/** English. A language is added by a second object of this type. */
export const english: FormMessages = {
  faults: {
    missing: () => 'is required: nothing was filled in',
    'not-asked': () => 'was not asked for: the form has no field of this name',
    'not-an-object': () => 'the answer must be an object of values by field name',
    'no-value-fits': () => 'can only be left out: the server asks for something that no value fits',
    'not-a-text': () => 'must be a text',
    'half-character': () => 'holds half of a character (one part of a surrogate pair): type it again',
    'not-a-number': () => 'must be a number, written as a number',
    'not-a-whole-number': () => 'must be a whole number: a fraction was given',
    'number-too-large': () => 'must be a number between -9007199254740991 and 9007199254740991: larger ones cannot be sent exactly',
    'not-yes-or-no': () => 'must be yes or no (true or false)',
    'not-a-list': () => 'must be a list',
    'not-texts': () => 'must be a list of texts: it holds something else',
    'not-an-option': ({ count }) => (count === 1 ? 'must be the one option offered' : `must be one of the ${count} options offered, sent by value`),
    'picked-twice': () => 'holds the same option twice: each can be picked once',
    'listed-twice': () => 'holds the same text twice: all must be different',
    'too-short': ({ minimum }) => `is too short: at least ${plural(minimum, 'character')}`,
    'too-long': ({ maximum }) => `is too long: at most ${plural(maximum, 'character')}`,
    'too-few': ({ minimum }) => `has too few: at least ${minimum}`,
    'too-many': ({ maximum }) => `has too many: at most ${maximum}`,
    'too-small': ({ minimum }) => `is too small: at least ${minimum}`,
    'too-large': ({ maximum }) => `is too large: at most ${maximum}`,
    'not-above': ({ minimum }) => `is too small: above ${minimum}`,
    'not-below': ({ maximum }) => `is too large: below ${maximum}`,
    'not-a-multiple': ({ of }) => `must be a multiple of ${of}`,
    'not-the-constant': () => 'must be exactly the one value that the form accepts',
    'wrong-format': ({ format }) => `must be ${english.formats[format]}`,
    'pattern-not-matched': () => 'is not of the form that is asked for (see its pattern)',
    'pattern-not-decided': () => 'could not be checked in time against the pattern that is asked for',
  },
  inEntry: (entry, fault) => `entry ${entry} ${fault}`,
  formats: {
    email: 'an e-mail address, such as name@example.com',
    uri: 'a full address with its scheme and in ASCII only (other letters percent-encoded), such as https://example.com/page',
    date: 'a date, such as 2026-03-01',
    'date-time': 'a date and time with its offset, such as 2026-03-01T10:05:00Z',
  },
  constraints: {
    characters: (bounds) => `${range(bounds)} ${bounds.maximum === 1 || (bounds.maximum === undefined && bounds.minimum === 1) ? 'character' : 'characters'}`,
    entries: (bounds) => `${range(bounds)} ${bounds.maximum === 1 || (bounds.maximum === undefined && bounds.minimum === 1) ? 'entry' : 'entries'}`,
    choices: (bounds) => `pick ${range(bounds)}`,
    number: (bounds) => [bounds.isWhole ? 'whole number' : 'number', ...numberRange(bounds)].join(' '),
    multipleOf: (of) => `a multiple of ${of}`,
    pattern: (source) => `matching ${source}`,
    exactly: (value) => `exactly: ${value}`,
    oneOf: (labels, more) => `one of: ${labels.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    different: 'all different',
    each: (constraint) => `each ${constraint}`,
    noValueFits: 'no value fits, leave it out',
  },
  notes: { patternSkipped: (label) => `The pattern of ${label} is not one that can be understood here, and is not checked.` },
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function range({ minimum = 0, maximum }: Bounds): string {
  if (maximum === undefined) return `at least ${minimum}`
  return minimum === 0 ? `at most ${maximum}` : minimum === maximum ? `exactly ${minimum}` : `${minimum} to ${maximum}`
}

function numberRange({ minimum, maximum, above, below }: NumberBounds): readonly string[] {
  const least = above === undefined ? minimum : `above ${above}`
  const most = below === undefined ? maximum : `below ${below}`
  if (above === undefined && below === undefined && minimum !== undefined && maximum !== undefined)
    return [minimum === maximum ? `exactly ${minimum}` : `from ${minimum} to ${maximum}`]
  const parts = [
    ...(least === undefined ? [] : [above === undefined ? `of at least ${least}` : String(least)]),
    ...(most === undefined ? [] : [below === undefined ? `of at most ${most}` : String(most)]),
  ]
  return parts.length === 0 ? [] : [parts.join(' and ')]
}
