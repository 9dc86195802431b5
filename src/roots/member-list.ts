import { namesIn } from '../paths/index.ts'
import { matchesGlob } from '../policy/index.ts'

/** Which folders below it a workspace counts as its own. */
export interface MemberList {
  /** `*` stands for one name, `**` for any number of them; with `!` in front, what matches is taken out. Absent: everything. */
  readonly members?: readonly string[] | undefined
  /** Taken out, with everything below. */
  readonly excluded?: readonly string[] | undefined
}

/** Whether a folder, given by its names below the workspace, is a member. */
export function isMember(folder: readonly string[], { members = ['**'], excluded = [] }: MemberList): boolean {
  const isNamedBy = (pattern: string): boolean => matchesNames(namesIn(pattern, '/'), folder)
  const taken = members.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  if (taken.some(isNamedBy) || excluded.some((pattern) => isNamedBy(pattern) || isNamedBy(`${pattern}/**`))) return false
  return members.some((pattern) => !pattern.startsWith('!') && isNamedBy(pattern))
}

/** Goes back to the last `**` only, so that no pattern takes more than a square of time. */
function matchesNames(pattern: readonly string[], names: readonly string[]): boolean {
  let at = 0
  let next = 0
  let afterStars: number | undefined
  let resumeAt = 0
  while (next < names.length) {
    const wanted = pattern[at]
    if (wanted === '**') {
      at += 1
      afterStars = at
      resumeAt = next
    } else if (wanted !== undefined && matchesGlob(wanted, names[next]!)) {
      at += 1
      next += 1
    } else if (afterStars !== undefined) {
      at = afterStars
      resumeAt += 1
      next = resumeAt
    } else {
      return false
    }
  }
  return pattern.slice(at).every((rest) => rest === '**')
}
