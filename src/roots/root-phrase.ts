import { folderConcerns, pathProblems, type FolderConcern, type PathProblem } from '../paths/index.ts'
import type { Phrase } from '../protocol/index.ts'

/** What there is to say of folders, with what each sentence needs to know. */
export interface RootPhraseFacts {
  readonly 'folder-missing': object
  readonly 'folder-denied': object
  readonly 'folder-replaced': object
  readonly 'folder-repository': object
  readonly 'folder-unreachable': object
  readonly 'folder-unmapped': object
  readonly 'holds-evidence': { readonly files: readonly string[] }
  readonly 'no-evidence': object
  readonly 'not-listable': object
  readonly 'among-arguments': object
  readonly 'taken-place': object
  readonly 'other-command': object
  readonly 'said-before': object
  readonly 'not-possible': object
  readonly 'stand-in-taken': { readonly path: string }
  readonly 'stand-in-failed': { readonly path: string; readonly reason: string }
}

export type RootPhraseKey = keyof RootPhraseFacts

/** One sentence each, in one language. */
export type RootMessages = { readonly [Key in RootPhraseKey]: (facts: RootPhraseFacts[Key]) => string }

/** English. A language is added by a second object of this type. */
export const englishRootMessages: RootMessages = {
  'folder-missing': () => 'There is no such folder or file; it is told as soon as it is there.',
  'folder-denied': () => 'It may not be read by this user.',
  'folder-repository': () => 'Git keeps its repository elsewhere by now: look at the folder again.',
  'folder-replaced': () => 'Another folder has taken its place; remove it and add it again to consent to that one.',
  'folder-unreachable': () => 'Its disk does not answer.',
  'folder-unmapped': () => 'This server has files of its own, and nothing under "rootMappings" in the config says how it knows this folder.',
  'holds-evidence': ({ files }) => `It holds ${files.join(', ')}.`,
  'no-evidence': () => 'Nothing in it says that it is a project.',
  'not-listable': () => 'The folder cannot be listed.',
  'among-arguments': () => 'The server is started with it: it stands in its command.',
  'taken-place': () => 'Another folder has taken its place since you said yes.',
  'other-command': () => 'It is in the config, for another command of this name.',
  'said-before': () => 'You said yes to it before; "always ask me" is on.',
  'not-possible': () => 'That cannot be done with this server.',
  'stand-in-taken': ({ path }) => `Something else is in the place of the empty folder ${path}, or in it: move that away, and try again.`,
  'stand-in-failed': ({ path, reason }) =>
    `The empty folder ${path} cannot be made (${reason}): see that the disk has room and that you may write there, and try again.`,
}

export function rootPhrase<Key extends RootPhraseKey>(key: Key, facts: RootPhraseFacts[Key]): Phrase {
  const known = facts as NonNullable<Phrase['facts']>
  return { key, ...(Object.keys(known).length > 0 && { facts: known }), sentence: englishRootMessages[key](facts) }
}

/** What there is to mind about a folder: `concern-home` and so on. */
export function concernPhrase(concern: FolderConcern): Phrase {
  return { key: `concern-${concern}`, sentence: folderConcerns[concern] }
}

/** Why no folder can have a path: `path-relative` and so on. */
export function pathPhrase(problem: PathProblem): Phrase {
  return { key: `path-${problem}`, sentence: pathProblems[problem] }
}
