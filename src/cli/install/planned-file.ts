import type { EntryPlan } from '../../clients/index.ts'
import type { ReadFile } from './client-file.ts'
import type { FoundFile } from './find-files.ts'

/** A file that can be changed, with what is to become of its servers. */
export interface PlannedFile {
  readonly found: FoundFile & { readonly read: ReadFile; readonly document: NonNullable<FoundFile['document']> }
  readonly plans: readonly EntryPlan[]
}

export type ChangePlan = Extract<EntryPlan, { readonly action: 'change' }>

export interface ChangeOptions {
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly json?: boolean | undefined
}

export function isChange(plan: EntryPlan): plan is ChangePlan {
  return plan.action === 'change'
}
