import type { TextFormat } from '../protocol/index.ts'

/**
 * Whether a text has one of the four formats of the protocol. Every expression here runs in linear time.
 * @see MCP schema `StringSchema.format`; RFC 5321, RFC 3986, RFC 3339
 */
export function hasFormat(format: TextFormat, text: string): boolean {
  return checks[format](text)
}

/** The formats that are checked; every other one is an annotation. */
export function isTextFormat(format: unknown): format is TextFormat {
  return typeof format === 'string' && Object.hasOwn(checks, format)
}

const checks: Readonly<Record<TextFormat, (text: string) => boolean>> = { email: isEmail, uri: isUri, date: isDate, 'date-time': isDateTime }

const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/u
const hostLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/u

/** One mailbox, `dot-atom@hostname`, within the lengths of RFC 5321, section 4.5.3.1. */
function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const at = text.indexOf('@')
  const name = text.slice(0, at)
  return at > 0 && at <= 64 && name.split('.').every((part) => atom.test(part)) && isHostname(text.slice(at + 1))
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => hostLabel.test(label))
}

const uriParts = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/su
const pathText = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/u
const queryText = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/u
const authorityText =
  /^(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:\[(?<literal>[^\]]*)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/u

function isUri(text: string): boolean {
  const parts = uriParts.exec(text)?.groups
  if (parts === undefined) return false
  const { authority, path = '', query = '', fragment = '' } = parts
  if (authority !== undefined && !isAuthority(authority)) return false
  if (authority !== undefined && path !== '' && !path.startsWith('/')) return false
  return pathText.test(path) && queryText.test(query) && queryText.test(fragment)
}

function isAuthority(text: string): boolean {
  const match = authorityText.exec(text)
  const literal = match?.groups?.['literal']
  if (match === null || literal === undefined) return match !== null
  return /^v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/iu.test(literal) || isIpv6(literal)
}

/** @see RFC 3986, section 3.2.2, `IPv6address` */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)?.at(-1)
  const endsInIpv4 = last !== undefined && last.includes('.')
  if (endsInIpv4 && !isIpv4(last)) return false
  const all = groups.flat()
  const hex = endsInIpv4 ? all.slice(0, -1) : all
  const size = hex.length + (endsInIpv4 ? 2 : 0)
  return hex.every((group) => /^[0-9A-Fa-f]{1,4}$/u.test(group)) && (halves.length === 2 ? size <= 7 : size === 8)
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/u.test(text) && !text.endsWith('.')
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** @see RFC 3339, section 5.6; a leap second only where it is 23:59:60 in UTC */
function isDateTime(text: string): boolean {
  const match = /^([^Tt]*)[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/u.exec(text)
  if (match === null || !isDate(match[1]!)) return false
  const [hour, minute, second] = match.slice(2, 5).map(Number) as [number, number, number]
  const offsetHour = Number(match[6] ?? 0)
  const offsetMinute = Number(match[7] ?? 0)
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (match[5] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const minuteOfDay = (((hour * 60 + minute - offset) % 1440) + 1440) % 1440
  return minuteOfDay === 1439
}
