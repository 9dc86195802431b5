import type { Decision, Review } from '../../protocol/index.ts'
import { describeBlock } from './ask-prompt.ts'
import { safeText } from './safe-text.ts'
import type { Asking } from './asking.ts'
import { headline, words } from './words.ts'
import { writeFrom } from './write-from.ts'

/** A model's answer before the server gets it. */
export async function askCompletion({ origin, draft }: Review<'completion'>, { prompts, signal, server }: Asking): Promise<Decision<'completion'>> {
  prompts.say(headline('completion', origin, 0))
  for (;;) {
    const completion = draft.value
    prompts.quote(completion.content.map(describeBlock).join('\n'), words.completionIs(safeText(completion.model, { maximum: 80 })))
    const editable = completion.content.findIndex(({ type }) => type === 'text')
    const chosen = await prompts.choose(
      words.howToGoOn,
      [
        { value: 'send', label: words.sendTo(server) },
        ...(editable >= 0 ? [{ value: 'edit' as const, label: words.editAnswer }] : []),
        { value: 'deny', label: words.withhold, hint: words.withholdHint },
        { value: 'cancel', label: words.cancel, hint: words.cancelHint },
      ],
      { initial: 'deny', signal },
    )
    if (chosen === 'send') return { action: 'approve', completion }
    if (chosen === 'deny') return { action: 'deny' }
    if (chosen !== 'edit') return { action: 'cancel' }
    const block = completion.content[editable]!
    const text = await writeFrom(prompts, words.yourAnswer, { initial: block.type === 'text' ? block.text : '', kind: 'lines', signal })
    if (text !== undefined)
      draft.update({ ...completion, content: completion.content.map((one, index) => (index === editable && one.type === 'text' ? { ...one, text } : one)) })
  }
}
