import type { AuditLog } from '../audit/index.ts'

const MOST_ENTRIES = 20_000
const PAGE = 1000

/** Folders that a server was told, and when last; newest first. Looks at the latest entries of the log only. */
export async function expectedExposures(
  { audit }: { readonly audit: Pick<AuditLog, 'page'> },
  server: string,
): Promise<readonly { readonly uri: string; readonly at: string }[]> {
  const told = new Map<string, string>()
  let before: number | undefined
  for (let looked = 0; looked < MOST_ENTRIES; looked += PAGE) {
    const page = await audit.page({ before, limit: PAGE })
    for (const { event, request, server: of, at, facts } of page) {
      const uris = event === 'answered' && request === 'roots' && of === server ? facts?.['roots'] : undefined
      for (const uri of Array.isArray(uris) ? uris : []) if (typeof uri === 'string' && !told.has(uri)) told.set(uri, at)
    }
    if (page.length < PAGE) break
    before = page.at(-1)?.position
  }
  return Array.from(told, ([uri, at]) => ({ uri, at }))
}
