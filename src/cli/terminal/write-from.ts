import type { Prompts } from './prompts.ts'
import { isPlain, safeText } from './safe-text.ts'
import { words } from './words.ts'

/** Has a text edited that a server may have written. One with signs that would act on the terminal is never put there: it can be taken as it is, or typed anew. */
export async function writeFrom(prompts: Prompts, question: string, options: Parameters<Prompts['write']>[1]): Promise<string | undefined> {
  const { initial, kind, signal, onBack } = options
  if (initial === undefined || isPlain(initial, kind)) return prompts.write(question, options)
  prompts.quote(safeText(initial, { lines: true }), words.hiddenSigns)
  const choices = [
    { value: 'new' as const, label: words.typeAgain },
    { value: 'keep' as const, label: words.keepAsItIs },
  ]
  const chosen = await prompts.choose(words.howToGoOn, choices, { initial: 'new', signal, onBack })
  if (chosen === undefined) return undefined
  return chosen === 'keep' ? initial : prompts.write(question, { ...options, initial: undefined })
}
