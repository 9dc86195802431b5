import { endOfCharacter } from '../../protocol/index.ts'
import type { Choosable, Prompts } from './prompts.ts'
import { words } from './words.ts'

const MOST_LINES = 60
const MOST_CHARACTERS = 6000
const SHOW_ALL = 'show-all'

/** The same prompts, where of long words of others only the beginning is quoted: whoever is asked next can have all of it shown first. */
export function quoteBriefly(prompts: Prompts): Prompts {
  let unread: (() => void)[] = []
  return {
    ...prompts,
    quote(text, title, extent) {
      const brief = extent === 'beginning' ? beginningOf(text) : text
      prompts.quote(brief, title)
      if (brief !== text) unread.push(() => prompts.quote(text, title))
    },
    async choose<Value extends string>(
      question: string,
      choices: readonly Choosable<Value>[],
      options: { readonly initial?: Value | undefined; readonly signal: AbortSignal },
    ) {
      const rest = unread
      unread = []
      if (rest.length === 0) return prompts.choose(question, choices, options)
      for (;;) {
        const chosen = await prompts.choose<Value | typeof SHOW_ALL>(question, [...choices, { value: SHOW_ALL, label: words.showAll }], options)
        if (chosen !== SHOW_ALL) return chosen
        for (const show of rest) show()
      }
    },
  }
}

function beginningOf(text: string): string {
  const lines = text.split('\n')
  const shown = lines.slice(0, MOST_LINES).join('\n')
  const brief = shown.length > MOST_CHARACTERS ? shown.slice(0, endOfCharacter(shown, MOST_CHARACTERS)) : shown
  return brief === text ? text : `${brief}\n${words.moreToRead(Math.max(0, lines.length - MOST_LINES), text.length - brief.length)}`
}
