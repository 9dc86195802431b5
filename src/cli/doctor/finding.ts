export const checks = ['node', 'state', 'config', 'desk', 'models', 'sandbox', 'browser', 'servers'] as const
export type Check = (typeof checks)[number]

/** What `consentry doctor` found out about one thing. */
export interface Finding {
  readonly check: Check
  /** What it is about, where there are several: a file, a model, a server. */
  readonly about?: string | undefined
  /** `note`: worth knowing, and no fault. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly says: string
  /** What to do. */
  readonly advice?: string | undefined
}
