import { openNodeDisk } from '../paths/index.ts'
import type { ServerTarget } from '../protocol/index.ts'
import { detectWorkspace, readRootOption, rootPhrase, validateRoot, type Proposal } from '../roots/index.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** So many words of a command are looked at. */
const mostWords = 50
/** A word that says by itself that it is a path: no other is taken for one, whatever lies in the working directory. */
const pathLike = /^(?:\/|~[/\\]|\.\.?[/\\]|[A-Za-z]:[/\\])/

/**
 * Folders that the server is started with, then projects around its working directory, best first. A working directory that nothing speaks for is not proposed,
 * wherever the server is started.
 */
export async function proposeFolders(place: Place, target?: ServerTarget): Promise<readonly Proposal[]> {
  const [given, candidates] = await Promise.all([
    target?.kind === 'stdio' ? findGivenFolders(place, target.args) : [],
    detectWorkspace(place.cwd, optionsOf(place)),
  ])
  const found = candidates.filter(({ evidence, level }) => evidence.length > 0 && level !== 'block').map(({ path, why }) => ({ path, why }))
  const proposals = [...given, ...found]
  return [...new Map(proposals.toReversed().map((proposal) => [proposal.path, proposal])).values()].toReversed()
}

/** The folders that stand among the arguments of a command. */
export async function findGivenFolders(place: Place, args: readonly string[]): Promise<readonly Proposal[]> {
  const options = optionsOf(place)
  const given = await Promise.all(args.slice(0, mostWords).map((word) => findGiven(word, place, options)))
  return given.filter((proposal) => proposal !== undefined)
}

function optionsOf(place: Place): NonNullable<Parameters<typeof validateRoot>[1]> {
  return { disk: openNodeDisk(), home: homeOf(place), state: openStateFolder(place).path }
}

/** The folder that a word of a command names, also as the value of an option. */
async function findGiven(word: string, place: Place, options: ReturnType<typeof optionsOf>): Promise<Proposal | undefined> {
  const text = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word
  if (!pathLike.test(text)) return undefined
  try {
    const { path } = readRootOption(text, { platform: place.platform === 'win32' ? 'win32' : 'posix', cwd: place.cwd, home: options.home })
    const seen = await validateRoot({ path }, options)
    if (!seen.ok || seen.status !== 'ok' || seen.level === 'block') return undefined
    return (await options.disk!.inspect(path)).kind === 'folder' ? { path, why: rootPhrase('among-arguments', {}) } : undefined
  } catch {
    // No folder can have this name.
    return undefined
  }
}
