/** How many characters two texts share at their start and at their end. */
export interface Same {
  readonly start: number
  readonly end: number
}

/** None is counted twice. */
export function compareTexts(one: string, other: string): Same {
  const { start, end } = compareEnds(one, other)
  return { start, end: Math.min(end, Math.min(one.length, other.length) - start) }
}

/** Start and end may overlap: between the same letters nobody can tell where something went or came. */
export function compareEnds(one: string, other: string): Same {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  let end = 0
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return { start, end }
}
