import { describeConstraint, readField, readTyped } from '../../elicitation/index.ts'
import type { Field } from '../../protocol/index.ts'
import type { Asking } from './asking.ts'
import { safeText } from './safe-text.ts'
import { words } from './words.ts'
import { writeFrom } from './write-from.ts'

/** What was answered by field name; `null`: left blank on purpose, so that no default comes back. */
export type Answers = Readonly<Record<string, unknown>>

/** Where a field stands in its form, from 1. */
export interface FieldPlace {
  readonly number: number
  readonly of: number
}

/** Lines that a person left before they were answers, by field name: they stand there again. Never those of secrets. */
export type LeftLines = Map<string, string>

interface FieldAsking extends Asking {
  readonly onBack: () => void
  readonly place: FieldPlace | undefined
  readonly leftLines: LeftLines
}

const LEAVE_OUT = ''

/** One field until its answer fits. @returns the answers with this one; `back` where the person goes back, undefined where they close the form */
export async function askField(
  field: Field,
  answers: Answers,
  leftLines: LeftLines,
  asking: Asking,
  place?: FieldPlace,
): Promise<Answers | 'back' | undefined> {
  let isBack = false
  const fieldAsking = { ...asking, place, leftLines, onBack: () => void (isBack = true) }
  if (hasMasked(field, answers)) {
    const kept = await askToKeep(field, fieldAsking)
    if (isBack) return 'back'
    if (kept !== 'new') return kept && answers
  }
  let before = Object.hasOwn(answers, field.name) ? answers[field.name] : field.default
  let wrong: string | undefined
  for (;;) {
    const value = await askValue(field, before, wrong, fieldAsking)
    if (isBack) return 'back'
    if (value === undefined) return undefined
    leftLines.delete(field.name)
    wrong = await faultOf(field, value, asking)
    if (wrong === undefined) return withAnswer(answers, field.name, value)
    before = value ?? undefined
  }
}

/** What is masked cannot be edited: it is kept, or typed anew. */
function hasMasked(field: Field, answers: Answers): boolean {
  return field.secret !== undefined && isTyped(field) && Object.hasOwn(answers, field.name) && answers[field.name] !== null
}

function askToKeep(field: Field, { prompts, signal, onBack, place }: FieldAsking): Promise<'keep' | 'new' | undefined> {
  const choices = [
    { value: 'keep' as const, label: words.keepTyped },
    { value: 'new' as const, label: words.typeAgain },
  ]
  return prompts.choose(questionOf(field, place), choices, { initial: 'keep', signal, onBack })
}

async function faultOf(field: Field, value: unknown, { matchPattern }: Asking): Promise<string | undefined> {
  const fault = await readField(field, value, { matchPattern })
  return fault && safeText(fault.message)
}

/** @param wrong what was wrong with the answer before this one */
async function askValue(field: Field, before: unknown, wrong: string | undefined, asking: FieldAsking): Promise<unknown> {
  const { prompts, signal, onBack, place, leftLines } = asking
  const question = wrong === undefined ? questionOf(field, place) : `${questionOf(field, place)}\n! ${wrong}`
  const initialLine = before === undefined || before === null ? undefined : Array.isArray(before) ? before.join('\n') : asTyped(before)
  switch (field.kind) {
    case 'boolean': {
      const choices = [{ value: 'true', label: words.yes }, { value: 'false', label: words.no }, ...leavingOut(field)]
      const chosen = await prompts.choose(question, choices, { initial: initialLine ?? (field.required ? 'false' : LEAVE_OUT), signal, onBack })
      return chosen === LEAVE_OUT ? null : chosen === undefined ? undefined : chosen === 'true'
    }
    case 'choice': {
      const choices = field.choices.map(({ label }, index) => ({ value: String(index), label: safeText(label) }))
      const selected = field.choices.findIndex(({ value }) => value === before)
      const chosen = await prompts.choose(question, [...choices, ...leavingOut(field)], {
        initial: selected >= 0 ? String(selected) : field.required ? '0' : LEAVE_OUT,
        signal,
        onBack,
      })
      return chosen === LEAVE_OUT ? null : chosen === undefined ? undefined : field.choices[Number(chosen)]!.value
    }
    case 'multiple-choice': {
      const choices = field.choices.map(({ label }, index) => ({ value: String(index), label: safeText(label) }))
      const selected = field.choices.flatMap(({ value }, index) => (Array.isArray(before) && before.includes(value) ? [String(index)] : []))
      const picked = await prompts.pick(question, choices, { initial: selected, signal, onBack })
      if (picked === undefined) return undefined
      return picked.length === 0 && !field.required ? null : picked.map((index) => field.choices[Number(index)]!.value)
    }
    case 'text':
    case 'number':
    case 'integer':
    case 'text-list': {
      const kind = field.secret ? 'secret' : field.kind === 'text-list' ? 'lines' : 'line'
      const canBeEmpty = field.kind === 'text' && field.required && !field.minLength && !field.format
      const check = async (text: string): Promise<string | undefined> =>
        text === '' && canBeEmpty ? undefined : faultOf(field, readTyped(field, text), asking)
      const from =
        kind === 'secret' ? {} : { initial: leftLines.get(field.name) ?? initialLine, onLeft: (line: string) => void leftLines.set(field.name, line) }
      const typed = await writeFrom(prompts, question, { ...from, kind, signal, check, onBack })
      if (typed === '' && canBeEmpty) return askForEmptyText(question, asking)
      return typed === undefined ? undefined : readTyped(field, typed)
    }
    default:
      return field satisfies never
  }
}

function asTyped(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A blank line is no answer; an empty text can be one, if the person says so. */
async function askForEmptyText(question: string, { prompts, signal, onBack }: FieldAsking): Promise<string | null | undefined> {
  const choices = [
    { value: 'again', label: words.typeAgain },
    { value: 'empty', label: words.sendEmptyText },
  ]
  const chosen = await prompts.choose(question, choices, { initial: 'again', signal, onBack })
  return chosen === undefined ? undefined : chosen === 'empty' ? '' : null
}

function questionOf(field: Field, place: FieldPlace | undefined): string {
  const constraint = describeConstraint(field, undefined, { areChoicesShown: true })
  const rules = [
    words.fieldMark(field.required),
    ...(constraint === '' ? [] : [constraint]),
    ...(field.required || !isTyped(field) ? [] : [words.blankLeavesOut]),
    ...(field.kind === 'text-list' ? [words.listHint] : []),
  ].join('; ')
  const help = field.description === undefined ? [] : [safeText(field.description)]
  const number = place === undefined ? '' : words.fieldNumber(place.number, place.of)
  return [`${number}${safeText(field.label, { maximum: 200 })} (${safeText(rules)})`, ...help, ...(field.secret ? [words.secretAdvice] : [])].join('\n')
}

function isTyped({ kind }: Field): boolean {
  return kind === 'text' || kind === 'number' || kind === 'integer' || kind === 'text-list'
}

function leavingOut({ required }: Field): readonly { readonly value: string; readonly label: string }[] {
  return required ? [] : [{ value: LEAVE_OUT, label: words.leaveOut }]
}

/** Names are data: `__proto__` is a name like any other here. */
function withAnswer(answers: Answers, name: string, value: unknown): Answers {
  return Object.fromEntries([...Object.entries(answers).filter(([other]) => other !== name), [name, value]])
}
