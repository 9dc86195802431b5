import { ConsentryError } from '../errors.ts'
import { toUnicodeHost } from './punycode.ts'

/** A URL as it is written, and as a browser understands it. */
export interface SplitUrl {
  readonly parsed: URL
  /** As written: neither decoded nor mapped nor lower-cased; without user, password and port. */
  readonly writtenHost: string
  readonly hasUserinfo: boolean
  /** Path, query and fragment as written. */
  readonly afterAuthority: string
}

/** Far beyond what browsers and servers take; nobody can read it before consent. */
const longestUrl = 65_536
/** Far beyond what DNS carries; only to bound the work. */
const longestHost = 1000
const controlOrBlank = /[\p{Cc}\p{Cs}\\ ]/u
/** Characters that cannot be seen, or that the parser drops or turns into a blank. */
export const unseen: RegExp = /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
/** What looks like one of `/ ? # @ : \` and is none, so that another host is read than is opened. */
const imitations = /[\u2044\u2215\u2571\u29f8\uff0f\uff1f\uff03\uff20\ufe6b\uff1a\ua789\u2236\ufe55\uff3c\ufe68\u29f5\u2216]/u

/**
 * Takes a web address apart without repairing anything: what browsers repair, others read differently.
 *
 * @throws ConsentryError `URL_REFUSED` for what is no `http` or `https` address as it stands, or whose host cannot be read for what it is
 * @see MCP 2025-11-25 client/elicitation "URL Mode Elicitation Requests"; WHATWG URL
 */
export function splitUrl(url: string): SplitUrl {
  if (url.length > longestUrl) throw refused(`it is longer than ${longestUrl} characters`)
  if (controlOrBlank.test(url)) throw refused('it holds a blank, a backslash or a control character: percent-encode it')
  const scheme = /^https?:\/\//iu.exec(url)
  if (scheme === null) throw refused('only https:// and http:// addresses can be opened')
  const [authority = ''] = /^[^/?#]*/u.exec(url.slice(scheme[0].length)) ?? []
  if (authority === '' || !URL.canParse(url)) throw refused('it is not a valid web address')
  const at = authority.lastIndexOf('@')
  const writtenHost = hostOf(authority.slice(at + 1))
  const parsed = new URL(url)
  if (parsed.hostname.length > longestHost) throw refused('its host is longer than any host can be')
  refuseMisread(writtenHost, toUnicodeHost(parsed.hostname))
  return { parsed, writtenHost, hasUserinfo: at >= 0, afterAuthority: url.slice(scheme[0].length + authority.length) }
}

function hostOf(hostAndPort: string): string {
  return hostAndPort.startsWith('[') ? hostAndPort.slice(0, hostAndPort.indexOf(']') + 1) : hostAndPort.replace(/:\d*$/u, '')
}

/** Looks at the host as it is written, with percent-escapes read, and as a reader of Punycode sees it. */
function refuseMisread(writtenHost: string, unicodeHost: string): void {
  const spellings = [decodePercent(writtenHost), unicodeHost]
  if (spellings.some((host) => unseen.test(host))) throw refused('its host holds a character that cannot be seen')
  if (spellings.some((host) => imitations.test(host))) throw refused('its host holds a character that only looks like a separator')
  if (spellings.some(hasEmptyLabel)) throw refused('its host has an empty part between two dots')
}

function hasEmptyLabel(host: string): boolean {
  return host
    .replace(/[.。．｡]$/u, '')
    .split(/[.。．｡]/u)
    .includes('')
}

function decodePercent(host: string): string {
  try {
    return decodeURIComponent(host)
  } catch {
    throw refused('its host is not percent-encoded correctly')
  }
}

function refused(reason: string): ConsentryError {
  return new ConsentryError('URL_REFUSED', `"url" cannot be opened: ${reason}`, { data: { field: 'url' } })
}
