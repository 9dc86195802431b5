import { openNodeDisk, type Disk, type FolderConcern, type FolderLevel, type Refusal } from '../paths/index.ts'
import type { Phrase } from '../protocol/index.ts'
import { ConsentedFolder, type FolderState } from './consented-folder.ts'
import { FolderJudge, warningOf, type FolderJudgeOptions } from './folder-judge.ts'
import type { RootEntry } from './root-entry.ts'

export interface ValidateOptions extends Omit<FolderJudgeOptions, 'disk'> {
  readonly home: string
  /** Default: the disk of this machine. */
  readonly disk?: Disk | undefined
}

/** What there is to say about a folder before the user consents to it. */
export interface RootValidation extends FolderState {
  readonly ok: true
  readonly level: FolderLevel
  readonly concern?: FolderConcern | undefined
  /** To be shown before consent; absent where there is nothing to warn of. */
  readonly warning?: Phrase | undefined
}

/**
 * Looks at a folder that the user is about to consent to: whether it is there, and whether it needs a second confirmation.
 * A folder that is not there (yet) may be consented to, and is judged by its path.
 */
export async function validateRoot(entry: RootEntry, { disk = openNodeDisk(), home, state }: ValidateOptions): Promise<RootValidation | Refusal> {
  const judge = new FolderJudge({ disk, home, state })
  const folder = new ConsentedFolder(entry, { disk, home, judge })
  if (folder.refusal) return folder.refusal
  const seen = await folder.look()
  const judgement = await judge.judge(folder.path, seen.state.status)
  const { level, concern } = judgement
  return { ok: true, ...seen.state, level, concern, warning: warningOf(judgement) }
}
