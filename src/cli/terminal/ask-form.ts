import type { Decision, Field, Review } from '../../protocol/index.ts'
import { aboutQuestion } from './about-question.ts'
import { askField, type Answers, type LeftLines } from './ask-field.ts'
import type { Asking } from './asking.ts'
import { describeChanges } from './describe-changes.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import { words } from './words.ts'

const CANCEL = { action: 'cancel' } as const

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
  const leftLines: LeftLines = new Map()
  const endings = [...sayingNo, ...(asked.times > 1 ? [{ value: 'stop' as const, label: words.stopAsking(server), hint: words.stopAskingHint }] : [])]
  const unanswered = before === undefined ? form.fields.filter(({ name }) => !Object.hasOwn(answers, name)) : []
  // After each, so that nothing is lost where whoever asked gives up.
  const keep = (next: Answers): void => draft.update(withoutSecrets((answers = next), form.fields))
  for (let isFilled = unanswered.length === 0; !isFilled;) {
    const start = await prompts.choose(words.howToGoOn, [{ value: 'answer' as const, label: words.answer }, ...endings], { initial: 'answer', signal })
    if (start !== 'answer') return endAs(start)
    if (unanswered.length > 1) prompts.say(words.howToMove)
    const filled = await fillIn(unanswered, form.fields, () => answers, keep, leftLines, asking)
    if (filled === undefined) return CANCEL
    isFilled = filled !== 'back'
  }

  let isHidden = true
  for (;;) {
    keep(answers)
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
    const edited = await editField(form.fields, answers, leftLines, asking)
    if (edited === undefined) return CANCEL
    if (edited !== 'back') answers = edited
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

/** One field after the other, and back again. @returns `back` where the person goes back from the first */
async function fillIn(
  open: readonly Field[],
  fields: readonly Field[],
  answers: () => Answers,
  keep: (answers: Answers) => void,
  leftLines: LeftLines,
  asking: Asking,
): Promise<'filled' | 'back' | undefined> {
  for (let at = 0; at < open.length;) {
    const field = open[at]!
    const place = fields.length > 1 ? { number: fields.indexOf(field) + 1, of: fields.length } : undefined
    const next = await askField(field, answers(), leftLines, asking, place)
    if (next === undefined) return undefined
    if (next !== 'back') keep(next)
    else if (at === 0) return 'back'
    at += next === 'back' ? -1 : 1
  }
  return 'filled'
}

async function editField(fields: readonly Field[], answers: Answers, leftLines: LeftLines, asking: Asking): Promise<Answers | 'back' | undefined> {
  const { values } = shownValues(answers, fields, true)
  const choices = fields.map(({ label, name }, index) => ({
    value: String(index),
    label: safeText(label, { maximum: 80 }),
    hint: Object.hasOwn(values, name) ? safeText(JSON.stringify(values[name]), { maximum: 60 }) : words.leftOut,
  }))
  let isBack = false
  const onBack = (): void => void (isBack = true)
  const chosen = choices.length === 1 ? '0' : await asking.prompts.choose(words.editWhich, choices, { signal: asking.signal, onBack })
  if (isBack) return 'back'
  return chosen === undefined ? undefined : askField(fields[Number(chosen)]!, answers, leftLines, asking)
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
