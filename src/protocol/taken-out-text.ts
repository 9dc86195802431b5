import { compareTexts } from './compare-texts.ts'
import { countMarks, findSecrets, type Secret, type TakenOutText } from './find-secrets.ts'
import { findTexts, type FoundText } from './find-texts.ts'
import { matchMarks } from './match-marks.ts'

/** So few characters of a secret are none. */
const NO_SECRET = 3
/** Of long secrets, pieces of so many characters are looked for; of short ones, halves. */
const PIECE = 8

/**
 * Puts secrets in the place of the marks that are left of them; all that a person changed stays changed. Where their changes leave open which secret
 * a mark stands for, it stays a mark: no secret comes to stand where it was not.
 */
export function putBackText(edited: string, text: TakenOutText): string {
  if (edited === text.taken) return text.original
  const found = matchMarks(edited, text).map(({ at, mark, secret }) => ({ from: at, to: at + mark.length, by: secret?.value ?? mark }))
  return replace(edited, found)
}

/** True where a mark is left in a text whose secrets were put back. */
export function hasMarkLeft(edited: string, { taken, original }: TakenOutText): boolean {
  const [now, before] = [countMarks(edited), countMarks(original)]
  return [...countMarks(taken).keys()].some((mark) => (now.get(mark) ?? 0) > (before.get(mark) ?? 0))
}

/** Puts marks in the place of secrets again. Where a person has changed a secret itself, the whole text is as it was shown first: taken out is taken out. */
export function takeOutText(edited: string, text: TakenOutText): string {
  const { taken, original } = text
  if (edited === original) return taken
  const secrets = findSecrets(text)
  if (hasEveryMark(edited, taken)) return hideWhole(edited, secrets, taken)
  const found = findInEdited(edited, original, secrets)
  if (found === 'in part') return taken
  const hidden = hideWhole(replace(edited, found.whole), secrets, taken)
  return hasPiece(hidden, found.touched, taken) ? taken : hidden
}

/** True where a secret is in it again; in doubt too. */
export function isPutBack(edited: string, text: TakenOutText): boolean {
  const { taken, original } = text
  if (edited === original) return true
  const secrets = findSecrets(text)
  if (hideWhole(edited, secrets, taken) !== edited) return true
  if (hasEveryMark(edited, taken)) return false
  const found = findInEdited(edited, original, secrets)
  return found === 'in part' || found.whole.length > 0 || hasPiece(edited, found.touched, taken)
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** From left to right. What overlaps goes as one. */
function replace(text: string, replacements: readonly Replacement[]): string {
  let done = 0
  const pieces = replacements.map(({ from, to, by }) => {
    const piece = text.slice(done, Math.max(done, from)) + by
    done = to
    return piece
  })
  return pieces.join('') + text.slice(done)
}

interface FoundSecrets {
  readonly whole: readonly Replacement[]
  /** Those that stood where something was changed. */
  readonly touched: readonly Secret[]
}

/** Which secrets stand where in a text that was changed after they were put back. */
function findInEdited(edited: string, original: string, secrets: readonly Secret[]): FoundSecrets | 'in part' {
  const same = compareTexts(original, edited)
  const [until, since] = [original.length - same.end, edited.length - same.end]
  const put = secrets.filter(({ mark, value }) => value !== '' && value !== mark)
  const touched = put.filter(({ from, to }) => to > same.start && from < until)
  const places = findPlaces(edited, touched)
  const whole: Replacement[] = []
  for (const { mark, from, to, value } of put) {
    if (to <= same.start) whole.push({ from, to, by: mark })
    else if (from >= until) whole.push({ from: from + since - until, to: to + since - until, by: mark })
    else {
      // Another copy elsewhere is another secret: this one is only where it was changed.
      const [start, end] = [Math.min(from, same.start), since + Math.max(to - until, 0)]
      const [begin, ...others] = (places.get(value) ?? []).filter((at) => at >= start && at + value.length <= end)
      if (begin === undefined ? Math.max(same.start - from, to - until) > NO_SECRET : others.length > 0 || begin < (whole.at(-1)?.to ?? 0)) return 'in part'
      if (begin !== undefined) whole.push({ from: begin, to: begin + value.length, by: mark })
    }
  }
  return { whole, touched }
}

function findPlaces(text: string, secrets: readonly Secret[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>(secrets.map(({ value }) => [value, []]))
  if (secrets.length > 0) for (const { what, from } of findTexts(text, places.keys())) places.get(what)!.push(from)
  return places
}

/** Whether a longer piece of a secret is left in a text. */
function hasPiece(text: string, secrets: readonly Secret[], taken: string): boolean {
  return (
    findHidden(
      text,
      secrets.flatMap(({ value }) => piecesOf(value)),
      taken,
    ).length > 0
  )
}

function piecesOf(secret: string): readonly string[] {
  const size = Math.min(PIECE, Math.ceil(secret.length / 2))
  if (size < NO_SECRET) return []
  return Array.from({ length: Math.floor(secret.length / size) }, (_, index) => secret.slice(index * size, (index + 1) * size))
}

/** Wherever else a secret stands, typed or copied by a person, a mark takes its place too. */
function hideWhole(edited: string, secrets: readonly Secret[], taken: string): string {
  const marks = new Map(secrets.filter(({ value }) => value.length > NO_SECRET).map(({ value, mark }) => [value, mark]))
  return replace(
    edited,
    findHidden(edited, marks.keys(), taken).map(({ what, from, to }) => ({ from, to, by: marks.get(what)! })),
  )
}

/** What a person sees without it being put back is no secret. */
function findHidden(text: string, wanted: Iterable<string>, taken: string): readonly FoundText[] {
  const found = findTexts(text, wanted)
  if (found.length === 0) return found
  const shown = new Set(
    findTexts(
      taken,
      found.map(({ what }) => what),
    ).map(({ what }) => what),
  )
  return found.filter(({ what }) => !shown.has(what))
}

function hasEveryMark(edited: string, taken: string): boolean {
  const now = countMarks(edited)
  return [...countMarks(taken)].every(([mark, count]) => (now.get(mark) ?? 0) >= count)
}
