/** Legacy: the server sends requests after `initialize`. Modern: it returns `input_required` and the client retries. */
export type Era = 'legacy' | 'modern'

/** Every revision of the protocol that we speak, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof revisions)[number]

export const latestLegacyRevision: Revision = '2025-11-25'
export const latestRevision: Revision = '2026-07-28'

export function isRevision(value: unknown): value is Revision {
  return revisions.includes(value as Revision)
}

export function eraOf(revision: Revision): Era {
  return revision === '2026-07-28' ? 'modern' : 'legacy'
}

/** Revisions are dates, so that later ones sort higher. */
export function isAtLeast(revision: Revision, since: Revision): boolean {
  return revision >= since
}
