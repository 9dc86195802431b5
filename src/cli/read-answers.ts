import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { answersFileMissing, parseAnswersFile, type AnswerEntry } from '../desk/answers-file.ts'
import type { Place } from './place.ts'

/** An answers file that was found to be sound. */
export interface AnswersFile {
  /** Absolute; paths in the file are relative to it. */
  readonly file: string
  readonly entries: readonly AnswerEntry[]
}

/** @throws ConsentryError `ANSWERS_FILE_INVALID` with file, line and column */
export async function readAnswers(path: string, { cwd }: Pick<Place, 'cwd'>): Promise<AnswersFile> {
  const file = resolve(cwd, path)
  const bytes = await readRegular(file).catch((cause: unknown) => Promise.reject(answersFileMissing(file, cause)))
  if (bytes === undefined)
    throw new ConsentryError('ANSWERS_FILE_INVALID', `${file}: this answers file is no regular file: save the answers in one`, { data: { file } })
  return { file, entries: parseAnswersFile(decode(bytes, file), file) }
}

/** Whatever else has a name may never end, or never begin, and cannot be let go of meanwhile. @returns undefined where it is no regular file */
async function readRegular(file: string): Promise<Uint8Array | undefined> {
  return (await stat(file)).isFile() ? readFile(file) : undefined
}

/** An answer that cannot be read whole must not be given with something else in its place. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ConsentryError('ANSWERS_FILE_INVALID', `${file}: this answers file is not UTF-8 text: save it as UTF-8`, { cause, data: { file } })
  }
}
