import type { CompletionDraft, Decision, Review } from '../../protocol/index.ts'
import { describeBlock } from './show-request.ts'
import { endOfCharacter } from '../../protocol/index.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import type { Asking } from './asking.ts'
import { describeSpent } from './spending-words.ts'
import { headline, words } from './words.ts'
import { writeFrom } from './write-from.ts'

/** A model's answer before the server gets it; it is shown while it comes. */
export async function askCompletion({ origin, draft }: Review<'completion'>, asking: Asking): Promise<Decision<'completion'>> {
  const { prompts, signal, server } = asking
  prompts.say(headline('completion', origin, 0))
  await showGrowing(draft, asking)
  for (;;) {
    if (signal.aborted) return { action: 'cancel' }
    const completion = draft.value
    const end = describeEnd(completion)
    if (end !== '') prompts.say(end)
    prompts.quote(completion.content.map(describeBlock).join('\n'), words.completionIs(safeText(completion.model, { maximum: 80 })))
    const editable = completion.content.findIndex(({ type }) => type === 'text')
    const chosen = await prompts.choose(
      words.howToGoOn,
      [
        { value: 'send', label: words.sendTo(server) },
        { value: 'send-run', label: words.sendForRun(server), hint: words.sendForRunHint },
        ...(editable >= 0 ? [{ value: 'edit' as const, label: words.editAnswer }] : []),
        { value: 'deny', label: words.withhold, hint: words.withholdHint },
        { value: 'cancel', label: words.cancel, hint: words.cancelHint },
      ],
      { initial: 'deny', signal },
    )
    if (chosen === 'send') return { action: 'approve', completion }
    if (chosen === 'send-run') return { action: 'approve', completion, remember: { for: 'run', skip: 'completion' } }
    if (chosen === 'deny') return { action: 'deny' }
    if (chosen !== 'edit') return { action: 'cancel' }
    const block = completion.content[editable]!
    const text = await writeFrom(prompts, words.yourAnswer, { initial: block.type === 'text' ? block.text : '', kind: 'lines', signal })
    if (text !== undefined)
      draft.update({ ...completion, content: completion.content.map((one, index) => (index === editable && one.type === 'text' ? { ...one, text } : one)) })
  }
}

/** Writes the answer as it comes, until it has ended or somebody stops it, here or elsewhere. */
async function showGrowing(draft: Review<'completion'>['draft'], { prompts, signal }: Asking): Promise<void> {
  if (draft.value.progress !== 'streaming' || signal.aborted) return
  const stop = (): void => draft.update({ ...draft.value, progress: 'stopped' })
  const growing = prompts.grow(words.modelWrites(safeText(draft.value.model, { maximum: 80 })), stop)
  let shown = 0
  let stopListening = (): void => undefined
  await new Promise<void>((resolve) => {
    const look = (value: CompletionDraft): void => {
      const text = textOf(value)
      // Half a character comes with the next part.
      const end = endOfCharacter(text, text.length)
      const next = text.slice(shown, end)
      shown = Math.max(shown, end)
      if (next !== '') growing.add(safeText(next, { lines: true, maximum: MOST_READ }))
      if (draft.value.progress !== 'streaming') resolve()
    }
    const end = (): void => resolve()
    signal.addEventListener('abort', end, { once: true })
    const stopDraft = draft.subscribe(look)
    stopListening = () => {
      stopDraft()
      signal.removeEventListener('abort', end)
    }
    look(draft.value)
  })
  stopListening()
  growing.end()
}

function textOf({ content }: CompletionDraft): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** How it ended, and what it took. */
function describeEnd({ progress, spent, notes = [] }: CompletionDraft): string {
  const lines = [
    ...(progress === 'stopped' ? [words.stoppedThere] : []),
    ...notes.map(({ sentence }) => safeText(sentence)),
    ...(spent === undefined ? [] : [words.took(describeSpent(spent))]),
  ]
  return lines.join('\n')
}
