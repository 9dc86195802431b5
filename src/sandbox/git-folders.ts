import { isWithin, pathOf, placeAt, placeBelow, readPlace, resolveDots } from '../paths/index.ts'
import type { HeldFolder } from './boundary.ts'
import type { Machine } from './machine.ts'

/**
 * Worktrees and submodules have the folder of their repository elsewhere: offered as one more root, and never granted by itself, because whoever can write in the root
 * can write that pointer too. Only what points back is offered.
 */
export function sayGitFolders(roots: readonly HeldFolder[], machine: Machine): readonly string[] {
  return roots.flatMap(({ path }) => {
    const root = placeAt(path, 'posix')
    const target = /^gitdir: ([^\n]+)/.exec(machine.headOf(`${path}/.git`))?.[1]
    if (!root || target === undefined) return []
    const reading = readPlace(target.startsWith('/') ? target : `${path}/${target}`, 'posix')
    const folder = reading.ok ? resolveDots(reading.place) : undefined
    if (!folder || isWithin(folder, root)) return []
    const worktrees = folder.names.lastIndexOf('worktrees')
    const pointsBack =
      machine.headOf(pathOf(placeBelow(folder, 'gitdir'))).trim() === `${path}/.git` ||
      machine.headOf(pathOf(placeBelow(folder, 'config'))).includes('worktree = ')
    const whole = worktrees > 0 ? { ...folder, names: folder.names.slice(0, worktrees) } : folder
    return pointsBack
      ? [`git keeps the repository of ${path} in ${pathOf(whole)}, which it cannot reach: if it is to run git, add --root ${pathOf(whole)}`]
      : []
  })
}
