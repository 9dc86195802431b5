const MARK = /\[redacted:[a-z0-9-]+\]/g
/** So few characters of a secret are none. */
const NO_SECRET = 3
/** Of long secrets, pieces of so many characters are looked for; of short ones, halves. */
const PIECE = 8

/** A text that something was taken out of: as it was, and with the marks. */
export interface TakenOutText {
  readonly taken: string
  readonly original: string
}

/** What one mark stands for. */
interface Secret {
  readonly mark: string
  /** Where the mark stands in the text with marks. */
  readonly at: number
  /** Where the secret stands in the original. */
  readonly from: number
  readonly to: number
}

/** Puts secrets in the place of the marks that are left of them; all that a person changed stays changed. */
export function putBackText(edited: string, { taken, original }: TakenOutText): string {
  if (edited === taken) return original
  const same = compare(taken, edited)
  const left = findSecrets(taken, original)
  return edited.replaceAll(MARK, (mark: string, at: number) => {
    const place = at + mark.length <= same.start ? at : at >= edited.length - same.end ? at + taken.length - edited.length : undefined
    const index = left.findIndex((secret) => (place === undefined ? secret.mark === mark && isBetween(secret, taken, same) : secret.at === place))
    const [secret] = index < 0 ? [] : left.splice(index, 1)
    return secret === undefined ? mark : original.slice(secret.from, secret.to)
  })
}

/** Puts marks in the place of secrets again. Where a person has changed a secret itself, the whole text is as it was shown first: taken out is taken out. */
export function takeOutText(edited: string, text: TakenOutText): string {
  const { taken, original } = text
  if (edited === original) return taken
  if (hasEveryMark(edited, taken)) return hideWhole(edited, text)
  const found = findInEdited(edited, text)
  if (found === 'in part') return taken
  let done = 0
  const pieces = found.map(({ mark, from, to }) => {
    const piece = edited.slice(done, from) + mark
    done = to
    return piece
  })
  return hideWhole(pieces.join('') + edited.slice(done), text)
}

/** True where a secret is in it again; in doubt too. */
export function isPutBack(edited: string, text: TakenOutText): boolean {
  if (edited === text.original || hideWhole(edited, text) !== edited) return true
  const found = hasEveryMark(edited, text.taken) ? [] : findInEdited(edited, text)
  return found === 'in part' || found.length > 0
}

/** Each mark stands for what lies between the same words in the original. */
function findSecrets(taken: string, original: string): Secret[] {
  const marks = [...taken.matchAll(MARK)]
  const secrets: Secret[] = []
  let from = marks[0]?.index ?? 0
  for (const [index, { 0: mark, index: at }] of marks.entries()) {
    const next = marks[index + 1]
    const words = taken.slice(at + mark.length, next?.index)
    const to = next === undefined ? original.length - words.length : original.indexOf(words, from)
    if (to < from) return []
    secrets.push({ mark, at, from, to })
    from = to + words.length
  }
  return secrets
}

/** Which secrets stand where in a text that was changed after they were put back. */
function findInEdited(edited: string, { taken, original }: TakenOutText): readonly Omit<Secret, 'at'>[] | 'in part' {
  const same = compare(original, edited)
  const [until, since] = [original.length - same.end, edited.length - same.end]
  const found: Omit<Secret, 'at'>[] = []
  for (const { mark, from, to } of findSecrets(taken, original)) {
    const secret = original.slice(from, to)
    if (secret === '' || secret === mark) continue
    if (to <= same.start) found.push({ mark, from, to })
    else if (from >= until) found.push({ mark, from: from + since - until, to: to + since - until })
    else {
      // Another copy elsewhere is another secret: this one is only where it was changed.
      const start = Math.min(from, same.start)
      const around = edited.slice(start, since + Math.max(to - until, 0))
      const [first, last] = [around.indexOf(secret), around.lastIndexOf(secret)]
      const begin = start + first
      if (first >= 0 && first === last && begin >= (found.at(-1)?.to ?? 0)) found.push({ mark, from: begin, to: begin + secret.length })
      else if (first >= 0 || Math.max(same.start - from, to - until) > NO_SECRET || hasPiece(around, secret, taken)) return 'in part'
    }
  }
  return found
}

/** Whether a longer piece of a secret is left in a text. */
function hasPiece(text: string, secret: string, taken: string): boolean {
  const size = Math.min(PIECE, Math.ceil(secret.length / 2))
  if (size < NO_SECRET) return false
  for (let at = 0; at + size <= secret.length; at += size) {
    const piece = secret.slice(at, at + size)
    if (text.includes(piece) && !taken.includes(piece)) return true
  }
  return false
}

/** Wherever else a secret stands, typed or copied by a person, a mark takes its place too. */
function hideWhole(edited: string, { taken, original }: TakenOutText): string {
  return findSecrets(taken, original).reduce((text, { mark, from, to }) => {
    const secret = original.slice(from, to)
    return secret.length > NO_SECRET && !taken.includes(secret) ? text.replaceAll(secret, () => mark) : text
  }, edited)
}

function hasEveryMark(edited: string, taken: string): boolean {
  const left: string[] = edited.match(MARK) ?? []
  return (taken.match(MARK) ?? []).every((mark) => {
    const index = left.indexOf(mark)
    left.splice(index, 1)
    return index >= 0
  })
}

function isBetween({ mark, at }: Secret, taken: string, same: Same): boolean {
  return at + mark.length > same.start && at < taken.length - same.end
}

interface Same {
  readonly start: number
  readonly end: number
}

/** How many characters two texts share at their start and at their end. */
function compare(one: string, other: string): Same {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return { start, end }
}
