import { compareEnds, compareTexts } from './compare-texts.ts'
import { countMarks, findSecrets, MARK, type Secret, type TakenOutText } from './find-secrets.ts'
import { Witnesses } from './witnesses.ts'

/** A mark that was left in a text, or several with the words between them that stand for one secret. */
export interface MatchedMark {
  readonly at: number
  readonly mark: string
  /** Absent: nobody can tell. */
  readonly secret?: Secret | undefined
}

/** So many marks are looked for as one. */
const MOST_TOGETHER = 8

/**
 * Which secret each mark stands for. Where no mark lies in what was changed: as before. Or else the only one of its kind, or the one at its place (where all before
 * or all behind it is as it was, or no mark went or came), as long as the words beside it are beside no other of its kind, and none beside it are another's. Where
 * one of its kind went, its words may be left with another's mark: then the nearest must be as they were.
 */
export function matchMarks(edited: string, text: TakenOutText): readonly MatchedMark[] {
  const secrets = findSecrets(text)
  const marks = findMarks(edited, secrets)
  if (isAsBefore(edited, text.taken, { marks, secrets })) return marks.map((mark, index) => ({ ...mark, secret: secrets[index] }))
  const counts = { before: countMarks(text.taken), now: countMarks(edited) }
  const isSole = findSole(secrets, counts)
  const claimedBy = findPlaces(edited, text.taken, secrets)
  const witnesses = new Witnesses(text.taken, secrets)
  const sole = new Map(secrets.map((secret) => [secret.mark, secret]))
  const claims = marks.map((mark) => {
    if (isSole(mark.mark)) return { ...mark, secret: sole.get(mark.mark) }
    const isWitnessed = (secret: Secret): boolean =>
      witnesses.speakFor(secret, edited, mark.at) && (isAsMany(mark.mark, counts) || witnesses.standAlike(secret, edited, mark.at))
    const [secret, ...others] = claimedBy(mark)
    return { ...mark, secret: secret && others.every((other) => other?.value === secret.value) && isWitnessed(secret) ? secret : undefined }
  })
  // Whoever copies a mark does not say which of the two it is.
  const [claimed, known] = [countValues(claims.map(({ secret }) => secret)), countValues(secrets)]
  return claims.map((claim) => (claim.secret && claimed.get(claim.secret.value)! > known.get(claim.secret.value)! ? { ...claim, secret: undefined } : claim))
}

/** Every place of the marks of some secrets, from left to right, the longest of those that begin there. */
function findMarks(text: string, secrets: readonly Secret[]): readonly MatchedMark[] {
  const wanted = new Set(secrets.map(({ mark }) => mark))
  const most = [...wanted].reduce((known, mark) => Math.max(known, mark.split('[redacted:', MOST_TOGETHER + 1).length - 1), 0)
  const marks = [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({ from: index, to: index + mark.length }))
  const found: MatchedMark[] = []
  for (let index = 0; index < marks.length;) {
    const at = marks[index]!.from
    let together = Math.min(most, marks.length - index)
    while (together > 0 && !wanted.has(text.slice(at, marks[index + together - 1]!.to))) together -= 1
    if (together > 0) found.push({ at, mark: text.slice(at, marks[index + together - 1]!.to) })
    index += Math.max(1, together)
  }
  return found
}

/** No mark went, came or moved: what was changed lies between two of them. */
function isAsBefore(
  edited: string,
  taken: string,
  { marks, secrets }: { readonly marks: readonly MatchedMark[]; readonly secrets: readonly Secret[] },
): boolean {
  if (marks.length !== secrets.length) return false
  const { start, end } = compareTexts(taken, edited)
  return marks.every(({ at, mark }, index) => {
    const secret = secrets[index]!
    if (mark !== secret.mark) return false
    return at + mark.length <= start ? at === secret.at : at >= edited.length - end && at + taken.length - edited.length === secret.at
  })
}

interface MarkCounts {
  readonly before: ReadonlyMap<string, number>
  readonly now: ReadonlyMap<string, number>
}

function isAsMany(mark: string, { before, now }: MarkCounts): boolean {
  return [...mark.matchAll(MARK)].every(([kind]) => now.get(kind) === before.get(kind))
}

/** Of a kind that stands for one secret only, and no mark came. */
function findSole(secrets: readonly Secret[], { before, now }: MarkCounts): (mark: string) => boolean {
  const kinds = new Map<string, Set<string>>()
  for (const { mark, value } of secrets) {
    for (const [kind] of mark.matchAll(MARK)) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(`${mark}\n${value}`))
  }
  return (mark) => [...mark.matchAll(MARK)].every(([kind]) => kinds.get(kind)!.size === 1 && now.get(kind)! <= before.get(kind)!)
}

/** Which secrets stand where a mark of the edited text may have stood. */
function findPlaces(edited: string, taken: string, secrets: readonly Secret[]): (mark: MatchedMark) => readonly (Secret | undefined)[] {
  const { start, end } = compareEnds(taken, edited)
  const [before, now] = [[...taken.matchAll(MARK)], [...edited.matchAll(MARK)]]
  const isSameOrder = before.length === now.length && before.every(([mark], index) => mark === now[index]![0])
  const byOrder = new Map(isSameOrder ? now.map(({ index }, position) => [index, before[position]!.index]) : [])
  const byPlace = new Map(secrets.map((secret) => [secret.at, secret]))
  return ({ at, mark }) => {
    const places: number[] = []
    if (at + mark.length <= start) places.push(at)
    if (at >= edited.length - end) places.push(at + taken.length - edited.length)
    const ordered = byOrder.get(at)
    if (places.length === 0 && ordered !== undefined) places.push(ordered)
    return places.map((place) => byPlace.get(place)).map((secret) => (secret?.mark === mark ? secret : undefined))
  }
}

function countValues(secrets: readonly (Secret | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const secret of secrets) if (secret) counts.set(secret.value, (counts.get(secret.value) ?? 0) + 1)
  return counts
}
