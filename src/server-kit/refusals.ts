import { ConsentryError } from '../errors.ts'
import { denials, type Denial } from '../paths/index.ts'

/** Why no folder can be used. */
export const rootGaps = {
  'not-initialized': 'The client has not finished its handshake yet: use files while a call of the client runs.',
  'needs-call': 'In this revision of the protocol folders come with the call: pass the context of the call (guard.run).',
  'needs-answer': 'The client is asked which folders may be used, and the call comes again with its answer.',
  unsupported: 'This client cannot say which folders may be used (it has no "roots"), and none are configured.',
  unanswered: 'The client was asked which folders may be used, and gave no answer that can be used.',
  none: 'No folder is granted to this server. Ask the user to grant one in their MCP client.',
  closed: 'The connection that the folders belonged to is closed.',
  gone: 'The granted folder is not there any more, or cannot be reached.',
} as const

export type RootGap = keyof typeof rootGaps

/** What keeps a path inside a root from being used, by what the system says of it. */
export const pathProblems = {
  'not-found': 'Nothing is there. List the folder to see what is.',
  exists: 'Something is there already. Choose another name.',
  'not-empty': 'The folder is not empty.',
  'not-a-file': 'It is no ordinary file.',
  'not-a-folder': 'It is no folder.',
  'too-large': 'The file is larger than may be read at once.',
  'no-access': 'The system does not let this server do that.',
  'no-space': 'The disk is full, or the file larger than it may be.',
  'is-root': 'It is a granted folder itself, or holds one: those are not moved or removed.',
  'other-disk': 'It lies on another disk: write it there and remove it here.',
  changed: 'It was changed by somebody else in that very moment. Try again.',
  busy: 'The system is busy, or has too many files open. Try again.',
  failed: 'The system could not do it.',
} as const

export type PathTrouble = keyof typeof pathProblems

const bySystemCode: Readonly<Record<string, PathTrouble>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTEMPTY: 'not-empty',
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file',
  ENOTDIR: 'not-a-folder',
  EACCES: 'no-access',
  EPERM: 'no-access',
  EROFS: 'no-access',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'no-space',
  EXDEV: 'other-disk',
  ESTALE: 'changed',
  ELOOP: 'changed',
  EBUSY: 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ENOMEM: 'busy',
  EAGAIN: 'busy',
}

/** Says that no folder can be used. */
export function noRoots(gap: RootGap, roots: readonly string[] = []): ConsentryError {
  return new ConsentryError('ROOTS_UNAVAILABLE', `${rootGaps[gap]}${gap === 'gone' ? listed(' It was', roots) : ''}`, { data: { reason: gap, roots } })
}

/** Refuses a path, and says what may be used in its place. Of what lies outside it says nothing, not even whether it is there. */
export function refusePath(denial: Denial, roots: readonly string[], candidates: readonly string[] = []): ConsentryError {
  const advice = candidates.length > 0 ? listed(' It could mean', candidates) : denial === 'outside' ? listed(' Use a path in', roots) : ''
  return new ConsentryError('PATH_REFUSED', `${denials[denial]}${advice}`, { data: { reason: denial, roots, ...(candidates.length > 0 && { candidates }) } })
}

/** Says why something inside a root cannot be used. */
export function cannotUse(problem: PathTrouble, path: string, system?: string): ConsentryError {
  const detail = problem === 'failed' && system !== undefined ? ` (${system})` : ''
  return new ConsentryError('PATH_UNUSABLE', `${path}: ${pathProblems[problem]}${detail}`, {
    data: { reason: problem, path, ...(system !== undefined && { system }) },
  })
}

/** An error of the system in our words: its own may name places that nobody here should hear of. */
export function ourError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof ConsentryError || !(error instanceof Error) || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error
  return cannotUse(bySystemCode[code] ?? 'failed', path, code)
}

const MOST_LISTED = 10

function listed(words: string, paths: readonly string[]): string {
  if (paths.length === 0) return ''
  const more = paths.length > MOST_LISTED ? ` and ${paths.length - MOST_LISTED} more` : ''
  return `${words}: ${paths.slice(0, MOST_LISTED).join(', ')}${more}.`
}
