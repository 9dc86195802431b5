import { endOfCharacter } from '../../protocol/index.ts'
import type { Choosable, Prompts, Showing } from './prompts.ts'
import { words } from './words.ts'

/** What else has to be on the screen: the headline, the model and its limits, the choices. */
const OTHER_ROWS = 16
const FEWEST_ROWS = 8
const MOST_CHARACTERS_A_ROW = 75
const SHOW_ALL = 'show-all'

/** The same prompts, where of long words of others only the beginning is quoted: whoever is asked next can have all of it shown first. */
export function quoteBriefly(prompts: Prompts): Prompts {
  let unread: (() => void)[] = []
  return {
    ...prompts,
    quote(text, title, extent) {
      const brief = extent === 'beginning' ? beginningOf(text, Math.max(prompts.rows() - OTHER_ROWS, FEWEST_ROWS)) : text
      prompts.quote(brief, title)
      if (brief !== text) unread.push(() => prompts.quote(text, title))
    },
    async choose<Value extends string>(question: string, choices: readonly Choosable<Value>[], options: Showing & { readonly initial?: Value | undefined }) {
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

function beginningOf(text: string, rows: number): string {
  const lines = text.split('\n')
  const kept: string[] = []
  let left = rows
  for (const line of lines) {
    const needed = Math.max(1, Math.ceil(line.length / MOST_CHARACTERS_A_ROW))
    if (needed > left && kept.length > 0) break
    kept.push(needed > left ? line.slice(0, endOfCharacter(line, left * MOST_CHARACTERS_A_ROW)) : line)
    left -= needed
    if (left <= 0) break
  }
  const brief = kept.join('\n')
  return brief === text ? text : `${brief}\n${words.moreToRead(lines.length - kept.length, text.length - brief.length)}`
}
