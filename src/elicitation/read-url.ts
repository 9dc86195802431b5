import type { UrlCard, UrlWarning } from '../protocol/index.ts'
import { findLookalike } from './lookalikes.ts'
import { isMixedScript } from './mixed-script.ts'
import { toUnicodeHost } from './punycode.ts'
import { splitUrl, unseen, type SplitUrl } from './split-url.ts'
import { isAddress, isSameSite, isThisMachine, siteOf, withoutTrailingDot } from './url-site.ts'
import { urlWarning } from './url-warnings.ts'

const longestUnremarked = 2000

/**
 * What a person must know before a URL is opened, found out without any network: its real host, whom it belongs to, and every warning.
 *
 * Repairs, cuts and opens nothing. `serverOrigin` is that of a remote server; absent for a local one, which has no site of its own.
 *
 * @throws ConsentryError `URL_REFUSED` for what must never be opened
 * @see MCP 2025-11-25 client/elicitation "Safe URL Handling"
 */
export function readUrl(url: string, serverOrigin?: string): UrlCard {
  const split = splitUrl(url)
  const { hostname } = split.parsed
  const unicodeHost = toUnicodeHost(hostname)
  const warnings = findWarnings(split, unicodeHost, serverOrigin === undefined ? undefined : new URL(serverOrigin))
  return {
    url,
    host: hostname,
    ...(unicodeHost !== hostname && { unicodeHost }),
    site: siteOf(hostname),
    verdict: warnings.some(({ quiet }) => !quiet) ? 'warn' : 'show',
    warnings,
  }
}

function findWarnings(split: SplitUrl, unicodeHost: string, server: URL | undefined): readonly UrlWarning[] {
  const { parsed, writtenHost, hasUserinfo, afterAuthority } = split
  const { hostname: host, port, protocol, origin, href } = parsed
  const warnings: UrlWarning[] = []
  if (hasUserinfo) warnings.push(urlWarning('userinfo', { host }))
  if (!isThisMachine(host)) {
    if (protocol === 'http:') warnings.push(urlWarning('not-https', {}))
    if (isAddress(host)) warnings.push(urlWarning('ip-address', {}))
    if (port !== '' && origin !== server?.origin) warnings.push(urlWarning('port', { port }))
  }
  if (isRewritten(writtenHost, host, unicodeHost)) warnings.push(urlWarning('rewritten-host', { host }))
  if (unicodeHost !== host || /(?:^|\.)xn--/u.test(host)) warnings.push(urlWarning('punycode', { unicodeHost }))
  if (unicodeHost.split('.').some(isMixedScript)) warnings.push(urlWarning('mixed-script', {}))
  for (const lookalike of findLookalikes(host, unicodeHost)) warnings.push(urlWarning('looks-like', { host, lookalike }))
  if (unseen.test(afterAuthority)) warnings.push(urlWarning('invisible-characters', {}))
  if (carriesSecret(parsed)) warnings.push(urlWarning('secret-in-url', {}))
  if (href.length > longestUnremarked) warnings.push(urlWarning('long', { length: href.length }))
  if (server !== undefined && !isSameSite(host, server.hostname))
    warnings.push(urlWarning('other-site', { site: siteOf(host), serverSite: siteOf(server.hostname) }))
  return warnings
}

/** Whether the browser opens another host than is written. Case, Unicode against Punycode, NFC and spellings of IPv6 are the same host. */
function isRewritten(writtenHost: string, host: string, unicodeHost: string): boolean {
  if (writtenHost.startsWith('[')) return false
  const written = Array.from(writtenHost.normalize('NFC'), (character) => character.toLowerCase()).join('')
  if (isAddress(host)) return withoutTrailingDot(written) !== host
  const labels = written.split('.')
  const asOpened = host.split('.')
  const asShown = unicodeHost.split('.')
  return labels.length !== asOpened.length || labels.some((label, index) => label !== asOpened[index] && label !== asShown[index])
}

/** Names that the host can be taken for: letter by letter, or because it begins like a domain of its own. */
function findLookalikes(host: string, unicodeHost: string): readonly string[] {
  const replaced = Array.from(unicodeHost, (character) => (/^\p{ASCII}$/u.test(character) ? character : findLookalike(character)?.toLowerCase()))
  const whole = unicodeHost !== host && !replaced.includes(undefined) ? [replaced.join('')] : []
  return isAddress(host) ? whole : [...whole, ...domainLeftOfSite(host)]
}

const wellKnownEndings: ReadonlySet<string> = new Set(['com', 'net', 'org', 'edu', 'gov'])

function domainLeftOfSite(host: string): readonly string[] {
  const labels = withoutTrailingDot(host).split('.')
  const left = labels.slice(0, labels.length - siteOf(host).split('.').length)
  const ending = left.findIndex((label, index) => index > 0 && wellKnownEndings.has(label) && !left[index - 1]!.startsWith('xn--'))
  return ending < 0 ? [] : [left.slice(0, ending + 1).join('.')]
}

const secretParameters: ReadonlySet<string> = new Set(
  'access_token id_token refresh_token api_key apikey client_secret secret password passwd pwd jwt session_id sessionid'.split(' '),
)

/** In the query, or in a fragment that is written like one. */
function carriesSecret({ searchParams, hash }: URL): boolean {
  const fragment = hash.slice(1)
  const question = fragment.indexOf('?')
  const parameters = [searchParams, new URLSearchParams(fragment), ...(question < 0 ? [] : [new URLSearchParams(fragment.slice(question + 1))])]
  return parameters.some((list) => [...list].some(([name, value]) => value !== '' && secretParameters.has(name.toLowerCase().replace(/^[/!?]+/u, ''))))
}
