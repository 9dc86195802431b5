import type { FolderConcern, FolderLevel, Refusal } from '../paths/index.ts'
import { ConsentedFolder, type FolderState } from './consented-folder.ts'
import { judgeRoot, warningOf, type JudgeOptions } from './judge-root.ts'
import type { RootEntry } from './root-entry.ts'

export interface ValidateOptions extends JudgeOptions {
  readonly home: string
}

/** What there is to say about a folder before the user consents to it. */
export interface RootValidation extends FolderState {
  readonly ok: true
  readonly level: FolderLevel
  readonly concern?: FolderConcern | undefined
  /** One English sentence to show before consent; absent where there is nothing to warn of. */
  readonly warning?: string | undefined
}

/**
 * Looks at a folder that the user is about to consent to: whether it is there, and whether it needs a second confirmation.
 * A folder that is not there (yet) may be consented to, and is judged by its path.
 */
export async function validateRoot(entry: RootEntry, options: ValidateOptions): Promise<RootValidation | Refusal> {
  const folder = new ConsentedFolder(entry, options)
  if (folder.refusal) return folder.refusal
  const [{ state }, judgement] = await Promise.all([folder.look(), judgeRoot(folder.path, options)])
  const { level, concern } = judgement
  return { ok: true, ...state, level, concern, warning: warningOf(judgement) }
}
