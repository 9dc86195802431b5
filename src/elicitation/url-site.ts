import { getDomain } from 'tldts'

/** `localhost`, the names under it and the loopback addresses: no other spelling of them. */
export function isThisMachine(hostname: string): boolean {
  const host = withoutTrailingDot(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host)
}

export function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/u.test(hostname)
}

/**
 * Whom a host belongs to: its registrable domain, by the Public Suffix List with its private part, so that two tenants of one host are strangers.
 * An address, a single name or a suffix alone is its own site.
 */
export function siteOf(hostname: string): string {
  const host = withoutTrailingDot(hostname)
  if (isAddress(host)) return host
  if (isThisMachine(host)) return 'localhost'
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host
}

/** All names of this machine are one site. */
export function isSameSite(one: string, other: string): boolean {
  return isThisMachine(one) ? isThisMachine(other) : siteOf(one) === siteOf(other)
}

export function withoutTrailingDot(hostname: string): string {
  return hostname.replace(/\.$/u, '')
}
