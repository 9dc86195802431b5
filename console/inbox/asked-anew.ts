import type { ReviewSummary } from '../../src/console-api/contract.ts'

/** That somebody has a server asked once more, and what had ended by then: they are done with it. It lies beside the address, in the browser's history, so that no address names a question that is still to come. */
interface AskedAnew {
  readonly server: string
  readonly ended: readonly string[]
}

/** What to go to the inbox with, for whoever has this server ask. */
export function askAnew(server: string, reviews: ReadonlyMap<string, ReviewSummary>): { readonly state: { readonly askedAnew: AskedAnew } } {
  return { state: { askedAnew: { server, ended: [...reviews.values()].filter(({ ended }) => ended).map(({ id }) => id) } } }
}

/** The question that was asked for in the place of what is shown; undefined where nobody did, and while it has not come. */
export function anewOf(reviews: ReadonlyMap<string, ReviewSummary>, shown: string | undefined): string | undefined {
  const asked = (history.state as { readonly askedAnew?: AskedAnew } | null)?.askedAnew
  if (asked === undefined || shown === undefined || !asked.ended.includes(shown)) return undefined
  return [...reviews.values()].find(({ ended, asker }) => !ended && asker.server === asked.server)?.id
}
