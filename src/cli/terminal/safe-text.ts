/** What could move the cursor, reorder the line or hide in it: controls, bidi controls, invisible and unassigned formatting characters, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
/** A joiner between two letters or emoji, and the variant of an emoji or a Han character, is part of the script; anywhere else it is hidden text. */
const JOINED =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=[\p{Extended_Pictographic}0-9#*])[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu

const DEFAULT_MAXIMUM = 2000

export interface SafeTextOptions {
  /** Characters that are shown; of the rest only the number. Default: 2,000. */
  readonly maximum?: number | undefined
  /** Line breaks stay line breaks. Default: they become marks, so that nothing pretends to be a line of ours. */
  readonly lines?: boolean | undefined
}

/** Words of a server as text without effect: what would act on a terminal is shown as a mark, what is too long is cut and counted. */
export function safeText(text: string, { maximum = DEFAULT_MAXIMUM, lines = false }: SafeTextOptions = {}): string {
  const shown = text.length > maximum ? text.slice(0, endOfCharacter(text, maximum)) : text
  const broken = lines ? shown.replaceAll('\r\n', '\n') : shown
  const joiners = new Set([...broken.matchAll(JOINED)].map(({ index }) => index))
  const marked = broken.replaceAll(UNSAFE, (character, index: number) => {
    if (lines && character === '\n') return character
    if (character === '\t') return ' '
    return joiners.has(index) ? character : markOf(character)
  })
  const rest = text.length - shown.length
  return rest > 0 ? `${marked}… (${rest} more characters)` : marked
}

function markOf(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** Never between the two halves of a surrogate pair. */
function endOfCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index - 1)
  return code >= 0xd800 && code <= 0xdbff ? index - 1 : index
}
