/** Why a path or a URI is refused: a key for every language, and what to say in English. */
export const pathProblems = {
  'bad-escape': 'A percent sign is not followed by two hexadecimal digits that stand for UTF-8; write %25 for the sign itself.',
  'bad-host': 'The server part of a file URI is only a name: no user, no port, no percent sign.',
  'control-character': 'A name holds control characters, or characters that turn the direction of text.',
  'device-name': 'A name belongs to a Windows device (CON, NUL, COM1 and the like), not to a folder.',
  'device-path': 'This leads to a device or a hidden name space, not to a folder on a drive or a share.',
  'dot-segment': 'A URI of a root holds no "." or ".." steps; write where it ends.',
  'double-slash': 'The path begins with two slashes, which different programs read differently; write one.',
  'drive-relative': 'A drive letter without a backslash depends on the current folder of that drive; write C:\\folder.',
  empty: 'It is empty.',
  'encoded-separator': 'A name holds an encoded separator (%2F, or %5C on Windows).',
  'foreign-drive': 'This is a Windows drive, and this machine has none.',
  'foreign-host': 'The URI names another machine; here only file:/// and file://localhost/ mean a folder.',
  'illegal-character': 'A name holds a character that Windows does not allow (< > : " | ? *).',
  'no-drive': 'No drive is named; write file:///C:/folder or C:\\folder.',
  'no-path': 'The URI holds no path; write file:///folder.',
  'no-share': 'A server is named, but no share on it; write \\\\server\\share.',
  'not-a-file-uri': 'A root is a file:// URI, and this does not begin with file://.',
  'not-unicode': 'It holds half of a surrogate pair, which no name can hold.',
  'query-or-fragment': 'A "?" or "#" ends the path of a URI; where they belong to a name, write %3F and %23.',
  relative: 'The path is relative; write the whole path.',
  'top-folder': 'The top of a disk cannot be a root: everything would be told.',
  'trailing-dot': 'A name ends in a dot or a blank, which Windows drops.',
  unencoded: 'The URI holds blanks, control characters or backslashes; percent-encode it, or give the plain path.',
} as const

export type PathProblem = keyof typeof pathProblems

/** Nothing was repaired, and nothing of it may be used. */
export interface Refusal {
  readonly ok: false
  readonly problem: PathProblem
  /** One English sentence: what is wrong, and what to write instead. Never repeats the text. */
  readonly reason: string
}

/** Refuses a path or a URI. */
export function refuse(problem: PathProblem): Refusal {
  return { ok: false, problem, reason: pathProblems[problem] }
}
