import { ConsentryError } from '../errors.ts'
import type { UrlCard } from '../protocol/index.ts'

/** Provisional until the full reading lands. @throws ConsentryError `URL_REFUSED` */
export function readUrl(url: string, _serverOrigin?: string): UrlCard {
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url))
    throw new ConsentryError('URL_REFUSED', 'The address cannot be opened: it must be an https address as it stands', { data: { field: 'url' } })
  const { hostname } = new URL(url)
  return { url, host: hostname, site: hostname, verdict: 'show', warnings: [] }
}
