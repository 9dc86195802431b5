/** What is done about a server that goes on in folders that it was told before. */
export type KeptChoice = 'stand-in' | 'restart' | 'leave'

/**
 * Why a server may know other folders than it should. `none-told`: its last folder was taken away. `never-reread`: it was told that its list has changed, and did not
 * ask for it. `at-start`: it was given its folders when it was started (a sandbox holds it to them, or they are among its arguments), and they are other ones now.
 */
export type KeptReason = 'none-told' | 'never-reread' | 'at-start'

/** Nobody could be asked; no empty folder could be told; a choice holds for this time only; it could not be started afresh, and goes on as it was. */
export const keptFaults = ['asking', 'stand-in', 'remembering', 'restart'] as const

export interface KeptFoldersFault {
  readonly of: (typeof keptFaults)[number]
  readonly message: string
}

/** A server goes on in folders that it should know no longer, or without some that it may know; what was done about it, and whether somebody is asked what else is to be done. */
export interface KeptFoldersReport {
  /** `gone`: none of its folders is there; they were not taken back. */
  readonly reason: KeptReason | 'gone'
  /** The URIs that it was told last. */
  readonly known: readonly string[]
  /** What was done: as the user said, or an empty folder was told in place of none. */
  readonly done: KeptChoice | 'nothing'
  /** A question waits for whoever comes; it may be that nobody sees it. */
  readonly isAsked: boolean
  /** What could not be done, and why. */
  readonly fault?: KeptFoldersFault | undefined
}

/** How a fresh start ended that was asked for. */
export interface FreshStartEnd {
  /** Why the server could not be started afresh, and goes on as it was; absent where it was. */
  readonly fault?: string | undefined
  /** The folders that it runs with, where it is given them when it is started. */
  readonly startedWith?: readonly string[] | undefined
}
