/** What could move the cursor, reorder the line or hide in it: controls, bidi controls, invisible and unassigned formatting characters, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
/** A joiner between two letters or emoji, and the variant of an emoji or a Han character, is part of the script; anywhere else it is hidden text. */
const JOINED =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=[\p{Extended_Pictographic}0-9#*])[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu
/** Most texts: known at a glance, before the tables of Unicode are made ready. */
const PRINTABLE = /^[\x20-\x7e]*$/

/** A piece of a text as it can be shown without effect. */
export interface VisiblePart {
  readonly text: string
  /** True where the text stands for a character that would act, or not be seen. */
  readonly isMark: boolean
}

export interface VisibleTextOptions {
  /** Line breaks stay line breaks. Default: they become marks, so that nothing pretends to be a line of ours. */
  readonly lines?: boolean | undefined
}

/** Splits words of a server into pieces without effect: what would act on a terminal or a page, or hide in it, is replaced by a mark. */
export function visibleParts(text: string, { lines = false }: VisibleTextOptions = {}): readonly VisiblePart[] {
  if (PRINTABLE.test(text)) return text === '' ? [] : [{ text, isMark: false }]
  const broken = lines ? text.replaceAll('\r\n', '\n') : text
  const joiners = new Set([...broken.matchAll(JOINED)].map(({ index }) => index))
  const parts: VisiblePart[] = []
  let plain = ''
  let end = 0
  for (const { 0: character, index } of broken.matchAll(UNSAFE)) {
    if ((lines && character === '\n') || joiners.has(index)) continue
    plain += broken.slice(end, index)
    end = index + character.length
    if (character === '\t') {
      plain += ' '
      continue
    }
    if (plain !== '') parts.push({ text: plain, isMark: false })
    plain = ''
    parts.push({ text: markOf(character), isMark: true })
  }
  plain += broken.slice(end)
  return plain === '' ? parts : [...parts, { text: plain, isMark: false }]
}

/** Where a text can be cut before `index`: never between the two halves of a surrogate pair. */
export function endOfCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index - 1)
  return code >= 0xd800 && code <= 0xdbff ? index - 1 : index
}

function markOf(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
