/** Longer ones are not misspelt, but something else. */
const LONGEST = 60

/** The known name that somebody may have meant who wrote another: few letters differ; undefined where none is that near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > LONGEST) return undefined
  const most = Math.max(1, Math.floor(given.length / 3))
  const [nearest] = [...known]
    // A server's names may be of any length.
    .filter(({ length }) => Math.abs(length - given.length) <= most)
    .map((name) => ({ name, edits: countEdits(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits)
  return nearest !== undefined && nearest.edits <= most ? nearest.name : undefined
}

/** Letters that have to be put in, taken out or changed. @see Levenshtein's distance */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let taken = 0; taken < from.length; taken += 1) {
    const next = [taken + 1]
    for (let index = 0; index < to.length; index += 1) {
      const change = row[index]! + (from[taken] === to[index] ? 0 : 1)
      next.push(Math.min(change, row[index + 1]! + 1, next[index]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
