const LONGEST = 60

/** Words of a server inside a sentence of ours: in quotes, capped, and with everything that is not seen, or turns the line around, shown as a mark. */
export function quoteText(text: string): string {
  const shown = text
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '·')
    .replaceAll('"', "'")
  return `"${shown}${text.length > LONGEST ? '…' : ''}"`
}
