const MARK = /\[redacted:[a-z0-9-]+\]/g
/** So few characters of a secret are none. */
const NO_SECRET = 3
/** Of what stands beside a mark, so many characters tell it from another. */
const LONGEST_WORD = 40
/** Of long secrets, pieces of so many characters are looked for; of short ones, halves. */
const PIECE = 8

/** A text that something was taken out of: as it was, and with the marks. */
export interface TakenOutText {
  readonly taken: string
  readonly original: string
}

/** What one mark stands for, or several with the words between them, where nobody can tell which of them stands for which part. */
interface Secret {
  readonly mark: string
  /** Where the mark stands in the text with marks. */
  readonly at: number
  /** Where the secret stands in the original. */
  readonly from: number
  readonly to: number
}

/**
 * Puts secrets in the place of the marks that are left of them; all that a person changed stays changed. Where their changes leave open which secret
 * a mark stands for, it stays a mark: no secret comes to stand where it was not.
 */
export function putBackText(edited: string, text: TakenOutText): string {
  const { taken, original } = text
  if (edited === taken) return original
  let done = 0
  const pieces = matchMarks(edited, text).map(({ at, mark, secret }) => {
    const piece = edited.slice(done, at) + (secret === undefined ? mark : original.slice(secret.from, secret.to))
    done = at + mark.length
    return piece
  })
  return pieces.join('') + edited.slice(done)
}

/** True where a mark is left in a text whose secrets were put back. */
export function hasMarkLeft(edited: string, { taken, original }: TakenOutText): boolean {
  return (taken.match(MARK) ?? []).some((mark) => count(edited, mark) > count(original, mark))
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1
}

interface MatchedMark {
  readonly at: number
  readonly mark: string
  /** Absent: nobody can tell. */
  secret?: Secret | undefined
}

/**
 * Which secret each mark stands for: the only one of its kind, or else the one at its place (where all before or all behind it is as it was, or no mark went
 * or came), as long as a word right beside it says the same.
 */
function matchMarks(edited: string, text: TakenOutText): readonly MatchedMark[] {
  const { taken, original } = text
  const secrets = findSecrets(taken, original)
  const valueOf = (secret: Secret | undefined): string | undefined => secret && original.slice(secret.from, secret.to)
  const claims = findAll(edited, [...new Set(secrets.map(({ mark }) => mark))]).map(({ at, mark }) => {
    const alike = secrets.filter((secret) => (mark.match(MARK) ?? []).some((kind) => secret.mark.includes(kind)))
    const isSame = alike.every((secret) => secret.mark === mark && valueOf(secret) === valueOf(alike[0]))
    if (isSame && count(edited, mark) <= alike.length) return { at, mark, secret: alike[0] }
    const claimed = placesOf(at, mark, edited, taken).map((place) => secrets.find((secret) => secret.at === place && secret.mark === mark))
    const [secret] = claimed
    return { at, mark, secret: new Set(claimed.map(valueOf)).size === 1 && secret && hasWitness(at, edited, secret, taken) ? secret : undefined }
  })
  // Whoever copies a mark does not say which of the two it is.
  const isTooOften = (secret: Secret): boolean =>
    claims.filter((claim) => valueOf(claim.secret) === valueOf(secret)).length > secrets.filter((one) => valueOf(one) === valueOf(secret)).length
  return claims.map((claim) => (claim.secret && isTooOften(claim.secret) ? { ...claim, secret: undefined } : claim))
}

/** Where a mark of the edited text may have stood. */
function placesOf(at: number, mark: string, edited: string, taken: string): readonly number[] {
  const places: number[] = []
  if (at + mark.length <= sharedStart(taken, edited)) places.push(at)
  if (at >= edited.length - sharedEnd(taken, edited)) places.push(at + taken.length - edited.length)
  if (places.length > 0) return places
  const [before, now] = [taken, edited].map((text) => [...text.matchAll(MARK)])
  const isSameOrder = before!.length === now!.length && before!.every(([one], index) => one === now![index]![0])
  const place = isSameOrder ? before![now!.findIndex(({ index }) => index === at)]?.index : undefined
  return place === undefined ? [] : [place]
}

function hasWitness(at: number, edited: string, { mark, at: place }: Secret, taken: string): boolean {
  const isWitness = (one: string, other: string): boolean => one === other && one.trim() !== ''
  const isSameBefore = isWitness(wordBefore(taken, place), wordBefore(edited, at))
  return isSameBefore || isWitness(wordBehind(taken, place + mark.length), wordBehind(edited, at + mark.length))
}

function wordBefore(text: string, at: number): string {
  return /[^\s\]]*\s*$/.exec(text.slice(Math.max(0, at - LONGEST_WORD), at))![0]
}

function wordBehind(text: string, at: number): string {
  return /^\s*[^\s[]*/.exec(text.slice(at, at + LONGEST_WORD))![0]
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

/** Each mark stands for what lies between the same words in the original; where those words can be found in more than one place, the marks around them stand for it all together. */
function findSecrets(taken: string, original: string): Secret[] {
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
    secrets.push({ mark: taken.slice(first.from, markEnd), at: first.from, from, to: at })
    first = marks[index + 1]
    from = at + words[index]!.length
  }
  return secrets
}

/** Every place of some texts in another, from left to right, the longest of those that begin there. */
function findAll(text: string, wanted: readonly string[]): readonly { readonly at: number; readonly mark: string }[] {
  const longestFirst = wanted.toSorted((one, other) => other.length - one.length)
  const found: { at: number; mark: string }[] = []
  for (let at = text.indexOf('[redacted:'); at >= 0;) {
    const mark = longestFirst.find((one) => text.startsWith(one, at))
    if (mark !== undefined) found.push({ at, mark })
    at = text.indexOf('[redacted:', at + (mark?.length ?? 1))
  }
  return found
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

interface Same {
  readonly start: number
  readonly end: number
}

/** How many characters two texts share at their start and at their end, none of them twice. */
function compare(one: string, other: string): Same {
  const start = sharedStart(one, other)
  return { start, end: Math.min(sharedEnd(one, other), Math.min(one.length, other.length) - start) }
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  return start
}

function sharedEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let end = 0
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return end
}
