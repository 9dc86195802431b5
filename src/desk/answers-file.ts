import { ConsentryError } from '../errors.ts'
import type { TextPattern } from '../policy/text-pattern.ts'
import { readJsonc } from '../policy/read-jsonc.ts'
import type { ContentBlock, Json, JsonObject } from '../protocol/index.ts'
import { readEntries, type ScriptEntry } from './script-entry.ts'

interface Matching {
  /** Matched against the server's name, and the elicitation's message or the last user text of a sampling request. */
  readonly server?: TextPattern | undefined
  readonly message?: TextPattern | undefined
}

interface Entry<When, Then> {
  /** Which questions the entry answers; what is absent matches everything. */
  readonly when: When & Matching
  readonly then: Then
  /** How often the entry answers; absent: without limit. */
  readonly times?: number | undefined
}

type ElicitationAnswer = { readonly action: 'accept'; readonly content?: JsonObject | undefined } | { readonly action: 'decline' | 'cancel' }

type SamplingAnswer =
  | {
      readonly action: 'approve'
      /** The answer: a text, or blocks. Neither: the model is really asked. */
      readonly text?: string | undefined
      readonly content?: ContentBlock | readonly ContentBlock[] | undefined
      readonly model?: string | undefined
      readonly stopReason?: string | undefined
    }
  | { readonly action: 'deny' }

/** Paths are relative to the file; absent: the folders configured for the server. */
type RootsAnswer = { readonly action: 'grant'; readonly roots?: readonly string[] | undefined } | { readonly action: 'deny' }

/** One entry of an answers file, exactly as it stands there. */
export type AnswerEntry =
  | Entry<{ readonly request: 'elicitation'; readonly mode?: 'form' | 'url' | undefined }, ElicitationAnswer>
  | Entry<{ readonly request: 'sampling' }, SamplingAnswer>
  | Entry<{ readonly request: 'roots' }, RootsAnswer>

/** Which questions an entry answers. */
export type AnswerMatcher = AnswerEntry['when']

/** What an entry answers. */
export type ScriptedAnswer = AnswerEntry['then']

/**
 * Reads an answers file: JSON with comments.
 *
 * @throws ConsentryError `ANSWERS_FILE_INVALID` with file, line and column at the first key or value that is not known
 */
export function parseAnswersFile(text: string, file: string): readonly AnswerEntry[] {
  const document = readJsonc(text, file, 'ANSWERS_FILE_INVALID')
  readEntries(document)
  return (document.value as unknown as { readonly answers: readonly AnswerEntry[] }).answers
}

/** What entries say to a script. @throws ConsentryError `ANSWERS_FILE_INVALID` naming the place of what is not known */
export function readAnswers(answers: readonly AnswerEntry[]): readonly ScriptEntry[] {
  return readEntries({
    value: { answers: answers as unknown as Json },
    faultAt: (path, message) => new ConsentryError('ANSWERS_FILE_INVALID', `${nameOf(path)}: ${message}`, { data: { path: nameOf(path) } }),
  })
}

/** `answers[0].then.text` */
function nameOf(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}

/** @throws ConsentryError `ANSWERS_FILE_INVALID` where a file cannot be read at all */
export function answersFileMissing(file: string, cause: unknown): ConsentryError {
  const isNone = (cause as { code?: unknown } | null)?.code === 'ENOENT'
  return new ConsentryError('ANSWERS_FILE_INVALID', `${file}: this answers file ${isNone ? 'does not exist' : 'cannot be read'}`, { cause, data: { file } })
}
