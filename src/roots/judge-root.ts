import { folderConcerns, judgeFolder, type Disk, type Judgement, type Place } from '../paths/index.ts'
import { isInGitFolder } from './find-checkouts.ts'
import { findPlace } from './find-real-place.ts'

export interface JudgeOptions {
  readonly disk: Disk
  /** What `~` stands for. */
  readonly home?: string | undefined
  /** Where our own config and audit log lie. */
  readonly state?: string | undefined
}

/** What telling a server about a folder needs, judged by where it really lies, links followed. What is not there is judged by its path. */
export async function judgeRoot(path: string, { disk, home, state }: JudgeOptions): Promise<Judgement> {
  const find = (path: string | undefined): Promise<Place | undefined> => (path === undefined ? Promise.resolve(undefined) : findPlace(path, disk))
  const [place, homePlace, statePlace] = await Promise.all([find(path), find(home), find(state)])
  const judgement = judgeFolder(place!, { home: homePlace, state: statePlace })
  return judgement.level !== 'block' && (await isInGitFolder(place!, disk)) ? { level: 'block', concern: 'git-dir' } : judgement
}

/** The sentence to show before consent; undefined where there is nothing to warn of. */
export function warningOf({ concern }: Judgement): string | undefined {
  return concern && folderConcerns[concern]
}
