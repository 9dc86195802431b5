import { hasHalfCharacter } from '../protocol/json.ts'
import { refuse, type Refusal } from './path-problem.ts'
import { foldName, problemOfWindowsName } from './windows-names.ts'

/** Whose rules a path follows; both are known on every machine. */
export type Platform = 'posix' | 'win32'

/** Where something is, as an object: places are compared by whole names, never as text. */
export interface Place {
  readonly platform: Platform
  /** The server of a Windows share, in lower case; empty for a place on this machine. */
  readonly host: string
  /** From the top down. On Windows the first is the drive (`C:`) or the share. `..` stands only in places that were just read. */
  readonly names: readonly string[]
}

export type PlaceReading = { readonly ok: true; readonly place: Place } | Refusal

/** A server's name as a UNC path and a URI can both hold it; `wsl$` is one. */
export const HOST: RegExp = /^[a-z0-9_][a-z0-9._$-]*$/i

const DRIVE = /^([A-Za-z]):\\(.*)$/s
const SHARE = /^\\\\([^\\]+)(?:\\(.*))?$/s
const DEVICE_SPACE = /^\\\\[.?](?:\\|$)/
/** Only a spelling before a drive or a share; before anything else it opens another name space. */
const LONG_PREFIX = /^\\\\\?\\(?:UNC\\|(?=[A-Za-z]:))/i

/**
 * Reads an absolute path as the system would: nothing is decoded, `.` and empty names vanish, `..` stays for {@link resolveDots}.
 * Refused is only what cannot be handed to the system unchanged, or would lead elsewhere than it says.
 */
export function readPlace(path: string, platform: Platform): PlaceReading {
  if (path === '') return refuse('empty')
  if (path.includes('\0')) return refuse('control-character')
  if (hasHalfCharacter(path)) return refuse('not-unicode')
  return platform === 'posix' ? readPosixPlace(path) : readWindowsPlace(path)
}

function readPosixPlace(path: string): PlaceReading {
  return path.startsWith('/') ? { ok: true, place: { platform: 'posix', host: '', names: namesIn(path, '/') } } : refuse('relative')
}

function readWindowsPlace(path: string): PlaceReading {
  const text = path.replaceAll('/', '\\').replace(LONG_PREFIX, (prefix) => (prefix.length > 4 ? '\\\\' : ''))
  if (DEVICE_SPACE.test(text)) return refuse('device-path')
  const drive = DRIVE.exec(text)
  if (drive) return windowsPlace('', [`${drive[1]!.toUpperCase()}:`], namesIn(drive[2]!, '\\'))
  const share = SHARE.exec(text)
  if (share) {
    const [name, ...below] = namesIn(share[2] ?? '', '\\')
    if (!HOST.test(share[1]!)) return refuse('bad-host')
    return name === undefined || name === '..' ? refuse('no-share') : windowsPlace(share[1]!.toLowerCase(), [], [name, ...below])
  }
  if (/^[A-Za-z]:/.test(text)) return refuse('drive-relative')
  return refuse(text.startsWith('\\') ? 'no-drive' : 'relative')
}

function windowsPlace(host: string, drive: readonly string[], names: readonly string[]): PlaceReading {
  for (const name of names) {
    const problem = name === '..' ? undefined : problemOfWindowsName(name)
    if (problem) return refuse(problem)
  }
  return { ok: true, place: { platform: 'win32', host, names: [...drive, ...names] } }
}

/** The names in a text, from the top down, without empty ones and single dots. */
export function namesIn(text: string, separator: string): readonly string[] {
  return text.split(separator).filter((name) => name !== '' && name !== '.')
}

/** The place that `..` leads to by text alone; nothing leads above the top. */
export function resolveDots(place: Place): Place {
  const top = topOf(place)
  const names: string[] = []
  for (const name of place.names.slice(top.names.length)) {
    if (name === '..') names.pop()
    else names.push(name)
  }
  return { ...top, names: [...top.names, ...names] }
}

/** The place of a path, dots resolved; undefined where the path is none. */
export function placeAt(path: string, platform: Platform): Place | undefined {
  const reading = readPlace(path, platform)
  return reading.ok ? resolveDots(reading.place) : undefined
}

/** The root folder, the drive or the share that a place lies on. */
export function topOf({ platform, host, names }: Place): Place {
  return { platform, host, names: platform === 'posix' ? [] : names.slice(0, 1) }
}

export function isTop(place: Place): boolean {
  return place.names.length === topOf(place).names.length
}

/** The folder above, or nothing above the top. */
export function parentOf(place: Place): Place | undefined {
  return isTop(place) ? undefined : { ...place, names: place.names.slice(0, -1) }
}

/** The place that is so many names further down. */
export function placeBelow(place: Place, ...names: readonly string[]): Place {
  return { ...place, names: [...place.names, ...names] }
}

/** The last name; of a top folder, its path. */
export function nameOf(place: Place): string {
  return isTop(place) ? pathOf(place) : place.names.at(-1)!
}

/** The path as its system writes it, without a trailing separator except where the top needs one. */
export function pathOf({ platform, host, names }: Place): string {
  if (platform === 'posix') return `/${names.join('/')}`
  if (host !== '') return `\\\\${host}\\${names.join('\\')}`
  return names.length === 1 ? `${names[0]}\\` : names.join('\\')
}

/** True for the place itself and everything below it. Both must be free of dots and links to mean something. */
export function isWithin(inner: Place, outer: Place): boolean {
  return (
    inner.platform === outer.platform &&
    inner.host === outer.host &&
    inner.names.length >= outer.names.length &&
    outer.names.every((name, index) => isSameName(name, inner.names[index]!, outer.platform))
  )
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.names.length === other.names.length && isWithin(one, other)
}

/** Exactly on POSIX, where two spellings are two folders; without case on Windows. */
function isSameName(one: string, other: string, platform: Platform): boolean {
  return one === other || (platform === 'win32' && foldName(one) === foldName(other))
}
