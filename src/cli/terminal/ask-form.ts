import { describeConstraint, readField, readTyped } from '../../elicitation/index.ts'
import type { Decision, Field, Review } from '../../protocol/index.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import { aboutQuestion } from './about-question.ts'
import type { Asking } from './asking.ts'
import { describeChanges } from './describe-changes.ts'
import { words } from './words.ts'
import { writeFrom } from './write-from.ts'

type Answers = Readonly<Record<string, unknown>>

const CANCEL = { action: 'cancel' } as const
const LEAVE_OUT = ''

/** A form on the terminal: who asks and why, each field with its constraint, then exactly what will be sent. */
export async function askForm(review: Review<'form'>, asking: Asking): Promise<Decision<'form'>> {
  const { subject, draft, asked } = review
  const { form, message, because } = subject
  const { prompts, signal, server, before } = asking
  prompts.say(aboutQuestion(review, form.fields.length))
  if (review.rescuedAt !== undefined) prompts.say(words.rescued)
  if (because) prompts.say(words.askedBecause(safeText(because.sentence)))
  prompts.quote(safeText(message, { lines: true, maximum: MOST_READ }), words.serverSays(server), 'beginning')
  for (const note of form.notes) prompts.say(safeText(note.sentence))

  // What did not fit is kept, secrets too, which are in no draft.
  let answers: Answers = before?.decision.action === 'accept' && 'content' in before.decision ? before.decision.content : draft.value
  const endings = [...sayingNo, ...(asked.times > 1 ? [{ value: 'stop' as const, label: words.stopAsking(server), hint: words.stopAskingHint }] : [])]
  const unanswered = before === undefined ? form.fields.filter(({ name }) => !Object.hasOwn(answers, name)) : []
  if (unanswered.length > 0) {
    const start = await prompts.choose(words.howToGoOn, [{ value: 'answer' as const, label: words.answer }, ...endings], { initial: 'answer', signal })
    if (start !== 'answer') return endAs(start)
    for (const field of unanswered) {
      const next = await askField(field, answers, asking)
      if (next === undefined) return CANCEL
      answers = next
      // After each, so that nothing is lost where whoever asked gives up.
      draft.update(withoutSecrets(answers, form.fields))
    }
  }

  let isHidden = true
  for (;;) {
    draft.update(withoutSecrets(answers, form.fields))
    const shown = shownValues(answers, form.fields, isHidden)
    prompts.quote(safeText(JSON.stringify(shown.values, null, 2), { lines: true, maximum: MOST_READ }), words.willBeSent(server))
    const changes = describeChanges(form.fields, answers)
    if (changes.length > 0) prompts.say(changes.map((change) => safeText(change, { maximum: 300 })).join('\n'))
    const edit = form.fields.length > 0 ? [{ value: 'edit' as const, label: words.edit }] : []
    // Nothing is sent by pressing Enter once too often.
    const initial = form.fields.length > 0 ? 'edit' : 'cancel'
    const show = shown.hasHidden ? [{ value: 'show' as const, label: words.showHidden }] : []
    const choices = [{ value: 'send' as const, label: words.sendTo(server) }, ...edit, ...show, ...endings]
    const next = await prompts.choose(words.howToGoOn, choices, { initial, signal })
    isHidden = next !== 'show'
    if (next === 'show') continue
    if (next === 'send') return { action: 'accept', content: answers }
    if (next !== 'edit') return endAs(next)
    const edited = await editField(form.fields, answers, asking)
    if (edited === undefined) return CANCEL
    answers = edited
  }
}

function endAs(chosen: 'decline' | 'cancel' | 'stop' | undefined): Decision<'form'> {
  if (chosen === 'decline') return { action: 'decline' }
  return chosen === 'stop' ? { action: 'cancel', stopAsking: true } : CANCEL
}

const sayingNo = [
  { value: 'decline' as const, label: words.decline, hint: words.declineHint },
  { value: 'cancel' as const, label: words.cancel, hint: words.cancelHint },
]

async function editField(fields: readonly Field[], answers: Answers, asking: Asking): Promise<Answers | undefined> {
  const choices = fields.map(({ label }, index) => ({ value: String(index), label: safeText(label, { maximum: 80 }) }))
  const chosen = choices.length === 1 ? '0' : await asking.prompts.choose(words.edit, choices, { signal: asking.signal })
  return chosen === undefined ? undefined : askField(fields[Number(chosen)]!, answers, asking)
}

/** One field until its answer fits. An answer is a value, or `null`: left blank on purpose, so that no default comes back. */
async function askField(field: Field, answers: Answers, asking: Asking): Promise<Answers | undefined> {
  let before = Object.hasOwn(answers, field.name) ? answers[field.name] : field.default
  let wrong: string | undefined
  for (;;) {
    const value = await askValue(field, before, wrong, asking)
    if (value === undefined) return undefined
    wrong = await faultOf(field, value, asking)
    if (wrong === undefined) return withAnswer(answers, field.name, value)
    before = value ?? undefined
  }
}

async function faultOf(field: Field, value: unknown, { matchPattern }: Asking): Promise<string | undefined> {
  const fault = await readField(field, value, { matchPattern })
  return fault && safeText(fault.message)
}

/** @param wrong what was wrong with the answer before this one */
async function askValue(field: Field, before: unknown, wrong: string | undefined, asking: Asking): Promise<unknown> {
  const { prompts, signal } = asking
  const question = wrong === undefined ? questionOf(field) : `${questionOf(field)}\n! ${wrong}`
  const initialLine = before === undefined || before === null ? undefined : Array.isArray(before) ? before.join('\n') : asTyped(before)
  switch (field.kind) {
    case 'boolean': {
      const choices = [{ value: 'true', label: words.yes }, { value: 'false', label: words.no }, ...leavingOut(field)]
      const chosen = await prompts.choose(question, choices, { initial: initialLine ?? (field.required ? 'false' : LEAVE_OUT), signal })
      return chosen === LEAVE_OUT ? null : chosen === undefined ? undefined : chosen === 'true'
    }
    case 'choice': {
      const choices = field.choices.map(({ value, label }, index) => ({ value: String(index), label: labelOf(value, label, field.choices) }))
      const selected = field.choices.findIndex(({ value }) => value === before)
      const chosen = await prompts.choose(question, [...choices, ...leavingOut(field)], {
        initial: selected >= 0 ? String(selected) : field.required ? '0' : LEAVE_OUT,
        signal,
      })
      return chosen === LEAVE_OUT ? null : chosen === undefined ? undefined : field.choices[Number(chosen)]!.value
    }
    case 'multiple-choice': {
      const choices = field.choices.map(({ value, label }, index) => ({ value: String(index), label: labelOf(value, label, field.choices) }))
      const selected = field.choices.flatMap(({ value }, index) => (Array.isArray(before) && before.includes(value) ? [String(index)] : []))
      const picked = await prompts.pick(question, choices, { initial: selected, signal })
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
      const typed = await writeFrom(prompts, question, { initial: kind === 'secret' ? undefined : initialLine, kind, signal, check })
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
async function askForEmptyText(question: string, { prompts, signal }: Asking): Promise<string | null | undefined> {
  const choices = [
    { value: 'again', label: words.typeAgain },
    { value: 'empty', label: words.sendEmptyText },
  ]
  const chosen = await prompts.choose(question, choices, { initial: 'again', signal })
  return chosen === undefined ? undefined : chosen === 'empty' ? '' : null
}

function questionOf(field: Field): string {
  const constraint = describeConstraint(field)
  const rules = [
    words.fieldMark(field.required),
    ...(constraint === '' ? [] : [constraint]),
    ...(field.required || !isTyped(field) ? [] : [words.blankLeavesOut]),
    ...(field.kind === 'text-list' ? [words.listHint] : []),
  ].join('; ')
  const help = field.description === undefined ? [] : [safeText(field.description)]
  return [`${safeText(field.label, { maximum: 200 })} (${safeText(rules)})`, ...help, ...(field.secret ? [words.secretAdvice] : [])].join('\n')
}

function isTyped({ kind }: Field): boolean {
  return kind === 'text' || kind === 'number' || kind === 'integer' || kind === 'text-list'
}

function leavingOut({ required }: Field): readonly { readonly value: string; readonly label: string }[] {
  return required ? [] : [{ value: LEAVE_OUT, label: words.leaveOut }]
}

/** Two values with the same label are told apart by the value. */
function labelOf(value: string | number | boolean, label: string, choices: readonly { readonly label: string }[]): string {
  const isAlone = choices.filter((other) => other.label === label).length === 1
  return safeText(isAlone ? label : `${label} (${String(value)})`, { maximum: 200 })
}

/** Names are data: `__proto__` is a name like any other here. */
function withAnswer(answers: Answers, name: string, value: unknown): Answers {
  return Object.fromEntries([...Object.entries(answers).filter(([other]) => other !== name), [name, value]])
}

function withoutSecrets(answers: Answers, fields: readonly Field[]): Answers {
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name))
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !secrets.has(name)))
}

/** What goes out, in the server's order; secrets as dots where they are hidden. */
function shownValues(answers: Answers, fields: readonly Field[], isHidden: boolean): { readonly values: Answers; readonly hasHidden: boolean } {
  const going = fields.flatMap(({ name, secret, default: proposed }) => {
    const value = Object.hasOwn(answers, name) ? answers[name] : proposed
    return value === undefined || value === null ? [] : [{ name, value, dots: isHidden && secret !== undefined }]
  })
  return { values: Object.fromEntries(going.map(({ name, value, dots }) => [name, dots ? '••••••' : value])), hasHidden: going.some(({ dots }) => dots) }
}
