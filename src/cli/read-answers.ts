import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
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
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw answersFileMissing(file, cause)
  }
  return { file, entries: parseAnswersFile(text, file) }
}
