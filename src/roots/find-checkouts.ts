import { isSamePlace, isWithin, nameOf, parentOf, pathOf, placeBelow, readPlace, type Disk, type Place } from '../paths/index.ts'
import type { CheckoutKind, Evidence } from './evidence.ts'
import { findRealPlace } from './find-real-place.ts'
import type { FolderView } from './folder-view.ts'

export interface Checkouts {
  readonly checkouts: readonly Evidence<CheckoutKind>[]
  /** There is a `.git` file that does not check out: git would stop here, and so does the search. */
  readonly isBroken: boolean
}

const LARGEST_POINTER = 64 * 1024
const LARGEST_CONFIG = 1024 * 1024
const FOLDERS: readonly (readonly [name: string, kind: CheckoutKind])[] = [
  ['.hg', 'hg'],
  ['.jj', 'jj'],
  ['.svn', 'svn'],
]

/** What version control a folder is the top of. Git is never run, and no pointer is believed that is not returned. */
export async function findCheckouts(folder: FolderView, disk: Disk): Promise<Checkouts> {
  const checkouts: Evidence<CheckoutKind>[] = []
  const git = await folder.kindOf('.git')
  if (git === 'folder' && (await isReadableGitFolder(placeBelow(folder.place, '.git'), disk))) checkouts.push({ kind: 'git', file: '.git' })
  const pointed = git === 'file' ? await readGitFile(folder.place, disk) : undefined
  if (pointed) checkouts.push({ kind: pointed, file: '.git' })
  for (const [file, kind] of FOLDERS) if ((await folder.kindOf(file)) === 'folder') checkouts.push({ kind, file })
  return { checkouts, isBroken: git === 'file' && pointed === undefined }
}

/**
 * A git folder is never told: whoever writes there runs programs through its hooks and config.
 *
 * @param known what was found out of folders before, by path
 */
export async function isInGitFolder(place: Place, disk: Disk, known: Map<string, Promise<boolean>> = new Map()): Promise<boolean> {
  for (let folder: Place | undefined = place; folder; folder = parentOf(folder)) {
    const path = pathOf(folder)
    const isGit = known.get(path) ?? isGitFolder(folder, disk)
    known.set(path, isGit)
    if (await isGit) return true
  }
  return false
}

/** The three parts that make a git folder; fewer make none. */
async function isGitFolder(place: Place, disk: Disk): Promise<boolean> {
  const kindOf = async (name: string): Promise<string> => (await disk.inspect(pathOf(placeBelow(place, name)))).kind
  return (await kindOf('HEAD')) === 'file' && (await kindOf('objects')) === 'folder' && (await kindOf('refs')) === 'folder'
}

/** What cannot be read cannot be checked, and is no evidence. */
async function isReadableGitFolder(place: Place, disk: Disk): Promise<boolean> {
  return (await isGitFolder(place, disk)) && (await disk.canRead(pathOf(placeBelow(place, 'HEAD')), 'file'))
}

/**
 * Where git keeps the repository of a worktree or a submodule, if that is outside of the folder itself. It must be one, and point back: whoever can write in the folder can
 * write its pointer too.
 */
export async function findRepository(path: string, disk: Disk): Promise<string | undefined> {
  const folder = await findRealPlace(path, disk)
  const { kind, target } = (folder && (await followGitFile(folder, disk))) ?? {}
  if (!target || kind === 'git-separate') return undefined
  const repository = kind === 'git-worktree' ? parentOf(parentOf(target)!) : target
  return repository && !isWithin(repository, folder!) && (await isReadableGitFolder(repository, disk)) ? pathOf(repository) : undefined
}

async function readGitFile(folder: Place, disk: Disk): Promise<CheckoutKind | undefined> {
  return (await followGitFile(folder, disk))?.kind
}

interface GitFile {
  readonly kind: 'git-worktree' | 'git-submodule' | 'git-separate'
  /** The git folder that it points to. */
  readonly target: Place
}

/** Follows a `.git` file to its git folder, and back. */
async function followGitFile(folder: Place, disk: Disk): Promise<GitFile | undefined> {
  const gitFile = placeBelow(folder, '.git')
  const pointer = /^gitdir: (.+)$/s.exec(trimEnd(await disk.readText(pathOf(gitFile), LARGEST_POINTER)))
  const target = pointer && (await realPlace(pointer[1]!, folder, disk))
  if (!target) return undefined

  const parent = parentOf(target)
  const back = trimEnd(await disk.readText(pathOf(placeBelow(target, 'gitdir')), LARGEST_POINTER))
  if (parent && nameOf(parent) === 'worktrees' && back !== '') {
    return (await leadsTo(back, target, gitFile, disk)) ? { kind: 'git-worktree', target } : undefined
  }
  if (!(await isReadableGitFolder(target, disk))) return undefined
  const worktree = readWorktreeSetting((await disk.readText(pathOf(placeBelow(target, 'config')), LARGEST_CONFIG)) ?? '')
  if (worktree === undefined) return { kind: 'git-separate', target }
  return (await leadsTo(worktree, target, folder, disk)) ? { kind: 'git-submodule', target } : undefined
}

async function leadsTo(path: string, from: Place, place: Place, disk: Disk): Promise<boolean> {
  const [end, wanted] = [await realPlace(path, from, disk), await realPlace(pathOf(place), from, disk)]
  return end !== undefined && wanted !== undefined && isSamePlace(end, wanted)
}

/** Where a path leads that is absolute, or relative to a folder. */
async function realPlace(path: string, folder: Place, disk: Disk): Promise<Place | undefined> {
  return findRealPlace(readPlace(path, disk.platform).ok ? path : `${pathOf(folder)}/${path}`, disk)
}

/** The last `core.worktree` of a git config. */
function readWorktreeSetting(text: string): string | undefined {
  let section = ''
  let worktree: string | undefined
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^\]]*)\](.*)$/.exec(line)
    if (header) section = header[1]!.trim().toLowerCase()
    const setting = (header ? header[2]! : line).trim()
    const equals = setting.indexOf('=')
    if (section === 'core' && setting.slice(0, equals).trim().toLowerCase() === 'worktree') worktree = readSettingValue(setting.slice(equals + 1).trim())
  }
  return worktree
}

/** Quotes and backslashes as git reads them; a comment ends the value. */
function readSettingValue(text: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') value += text[(at += 1)] ?? ''
    else if (!isQuoted && (character === '#' || character === ';')) break
    else value += character
  }
  return isQuoted ? value : value.trimEnd()
}

function trimEnd(text = ''): string {
  return text.replace(/[\r\n]+$/, '')
}
