const usualAdvice = 'look at its rights, at the space on the disk, and at whether another program holds it'

/** What to do, by the beginning of SQLite's code: the rest of it only says where it happened. */
const advices: readonly (readonly [code: string, advice: string])[] = [
  ['SQLITE_NOTADB', 'it is damaged: move it away to start with an empty one, or put a copy back'],
  ['SQLITE_CORRUPT', 'it is damaged: move it away to start with an empty one, or put a copy back'],
  ['SQLITE_FULL', 'the disk is full: make room, and it goes on by itself'],
  ['SQLITE_READONLY', 'it or its folder cannot be written: mend their rights, or set CONSENTRY_HOME to another folder'],
]

/** What to do about a failure of SQLite's, as the end of a sentence about a file. */
export function adviceOn(failure: unknown): string {
  const { code } = failure as { readonly code?: unknown }
  return advices.find(([kind]) => String(code).startsWith(kind))?.[1] ?? usualAdvice
}
