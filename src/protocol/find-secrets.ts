/** A text that something was taken out of: as it was, and with the marks. */
export interface TakenOutText {
  readonly taken: string
  readonly original: string
}

/** What one mark stands for, or several with the words between them, where nobody can tell which of them stands for which part. */
export interface Secret {
  readonly mark: string
  /** Where the mark stands in the text with marks. */
  readonly at: number
  /** Where the secret stands in the original. */
  readonly from: number
  readonly to: number
  readonly value: string
}

/** What stands where a secret was taken out. */
export const MARK: RegExp = /\[redacted:[a-z0-9-]+\]/g

/** How often each mark stands in a text. */
export function countMarks(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [mark] of text.matchAll(MARK)) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  return counts
}

/** Each mark stands for what lies between the same words in the original; where those words can be found in more than one place, the marks around them stand for it all together. */
export function findSecrets({ taken, original }: TakenOutText): readonly Secret[] {
  const marks = [...taken.matchAll(MARK)].map(({ 0: mark, index }) => ({ from: index, to: index + mark.length }))
  const words = marks.map(({ to }, index) => taken.slice(to, marks[index + 1]?.from))
  const between = words.slice(0, -1)
  const end = original.length - (words.at(-1) ?? '').length
  let early = marks[0]?.from ?? 0
  const earliest = between.map((part) => {
    const at = early < 0 ? -1 : original.indexOf(part, early)
    early = at < 0 ? -1 : at + part.length
    return at
  })
  let late = end
  const latest = between.toReversed().map((part) => {
    late = late < part.length ? -1 : original.lastIndexOf(part, late - part.length)
    return late
  })
  latest.reverse()
  const secrets: Secret[] = []
  let first = marks[0]
  let from = first?.from ?? 0
  for (const [index, { to: markEnd }] of marks.entries()) {
    const isLast = index === between.length
    const at = isLast ? end : earliest[index]!
    if (first === undefined || (!isLast && (at < from || at !== latest[index]))) continue
    if (at < from) return []
    secrets.push({ mark: taken.slice(first.from, markEnd), at: first.from, from, to: at, value: original.slice(from, at) })
    first = marks[index + 1]
    from = at + words[index]!.length
  }
  return secrets
}
