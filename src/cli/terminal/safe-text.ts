import { endOfCharacter, visibleParts, type VisibleTextOptions } from '../../protocol/visible-text.ts'

const DEFAULT_MAXIMUM = 2000
/** Of words that can be shown whole: more than anybody reads, and less than what would stop a terminal. */
export const MOST_READ = 200_000

export interface SafeTextOptions extends VisibleTextOptions {
  /** Characters that are shown; of the rest only the number. Default: 2,000. */
  readonly maximum?: number | undefined
}

/** Words of a server as text without effect: what would act on a terminal is shown as a mark, what is too long is cut and counted. */
export function safeText(text: string, { maximum = DEFAULT_MAXIMUM, lines = false }: SafeTextOptions = {}): string {
  const shown = text.length > maximum ? text.slice(0, endOfCharacter(text, maximum)) : text
  const marked = visibleParts(shown, { lines })
    .map((part) => part.text)
    .join('')
  const rest = text.length - shown.length
  return rest > 0 ? `${marked}… (${rest} more characters)` : marked
}

/** Whether a text shows as what it is. */
export function isPlain(text: string, kind: 'line' | 'lines' | 'secret'): boolean {
  return safeText(text, { lines: kind === 'lines', maximum: Infinity }) === text
}
