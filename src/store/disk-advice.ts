const usualAdvice = 'look at its rights, at the space on the disk, and at whether another program holds it'
const damaged = 'it is damaged: move it away to start with an empty one, or put a copy back'
const full = 'the disk is full: make room'
const closed = 'it or its folder cannot be written: mend their rights, or set CONSENTRY_HOME to another folder'
const missing = 'its folder is gone, or cannot be made: set CONSENTRY_HOME to another folder'
const blocked = 'something else than a folder is on the way there: move it away, or set CONSENTRY_HOME to another folder'

/** What to do, by the beginning of a code of SQLite's or of the system's: what SQLite writes after it only says where it happened. */
const advices: readonly (readonly [code: string, advice: string])[] = [
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_FULL', full],
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['SQLITE_READONLY', closed],
  ['EACCES', closed],
  ['EPERM', closed],
  ['EROFS', closed],
  ['ENOENT', missing],
  ['ENOTDIR', blocked],
  ['EEXIST', blocked],
]

/** What to do about a failure of the database's or the disk's, as the end of a sentence about a file. */
export function adviceOn(failure: unknown): string {
  const { code } = failure as { readonly code?: unknown }
  return advices.find(([kind]) => String(code).startsWith(kind))?.[1] ?? usualAdvice
}

/** Why a file cannot be written, and what to do. */
export function unwritten(file: string, failure: unknown): string {
  return `${file} cannot be written (${(failure as Error).message}): ${adviceOn(failure)}`
}
