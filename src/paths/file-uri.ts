import { refuse, type PathProblem, type Refusal } from './path-problem.ts'
import { hasHalfCharacter } from '../protocol/json.ts'
import { HOST, isTop, pathOf, readPlace, resolveDots, type Place, type Platform } from './place.ts'
import { problemOfWindowsName } from './windows-names.ts'

/** A root in both of its spellings: `uri` is canonical, `path` is what the system opens. */
export type RootReading = { readonly ok: true; readonly uri: string; readonly path: string } | Refusal

const SCHEME = /^file:\/\//i
const RAW = /[\s\\\p{Cc}\p{Separator}]/u
const DRIVE = /^[A-Za-z]:$/
/** The pipe is how the first browsers wrote the colon of a drive. */
const DRIVE_LIKE = /^[A-Za-z][:|]$/
const UNSPEAKABLE = /[\p{Cc}\p{Bidi_Control}]/u
const HOME = /^~(?=$|\/)/
const WINDOWS_HOME = /^~(?=$|[\\/])/
/** What `encodeURIComponent` encodes though RFC 3986 lets it stand in a path. */
const ENCODED_PCHAR = /%(?:24|26|2B|2C|3A|3B|3D|40)/g

/**
 * Reads the URI of a root that arrived from outside: strict, decoded exactly once, never repaired.
 * Syntax only: whether the folder exists, and whether it may be told, is asked later.
 *
 * @see MCP client/roots "Root", "Security Considerations"; RFC 8089
 */
export function readRootUri(text: string, platform: Platform): RootReading {
  if (!SCHEME.test(text)) return refuse('not-a-file-uri')
  if (RAW.test(text)) return refuse('unencoded')
  if (/[?#]/.test(text)) return refuse('query-or-fragment')
  const [, , authority, ...segments] = text.split('/')
  if (segments.length === 0) return refuse('no-path')
  if (segments[0] === '' && segments.length > 1) return refuse('double-slash')

  const names: string[] = []
  for (const segment of segments.filter((one) => one !== '')) {
    const name = decodeName(segment, platform)
    if (typeof name !== 'string') return name
    names.push(name)
  }
  if (/[@:%[\]]/.test(authority!)) return refuse('bad-host')
  const host = authority!.toLowerCase().replace(/^localhost$/, '')
  return platform === 'posix' ? readPosixParts(host, names) : readWindowsParts(host, names)
}

/**
 * Reads the absolute path of a root as a person typed it: lenient about spelling, nothing is decoded.
 * A leading `~` stands for `home` where that is given; relative paths are refused, because only the caller knows to what.
 */
export function readRootPath(path: string, platform: Platform, { home }: { readonly home?: string | undefined } = {}): RootReading {
  const whole = home === undefined ? path : path.replace(platform === 'posix' ? HOME : WINDOWS_HOME, () => home)
  const reading = readPlace(whole, platform)
  return reading.ok ? rootAt(resolveDots(reading.place)) : reading
}

function readPosixParts(host: string, names: readonly string[]): RootReading {
  return host === '' ? rootAt({ platform: 'posix', host, names }) : refuse('foreign-host')
}

function readWindowsParts(host: string, names: readonly string[]): RootReading {
  const [first, ...below] = names
  if (host !== '' && !HOST.test(host)) return refuse('bad-host')
  if (host !== '' && first === undefined) return refuse('no-share')
  if (host === '' && (first === undefined || !DRIVE.test(first))) return refuse('no-drive')
  const problem = (host === '' ? below : names).map(problemOfWindowsName).find((one) => one !== undefined)
  if (problem) return refuse(problem)
  return rootAt({ platform: 'win32', host, names: host === '' ? [first!.toUpperCase(), ...below] : names })
}

/** What both forms share, so that the URI that comes out is always one that would be read. */
function rootAt(place: Place): RootReading {
  const problem = problemOf(place)
  if (problem) return refuse(problem)
  return { ok: true, uri: `file://${place.host}/${place.names.map(encodeName).join('/')}`, path: pathOf(place) }
}

function problemOf(place: Place): PathProblem | undefined {
  if (isTop(place) && place.host === '') return 'top-folder'
  if (place.platform === 'posix' && DRIVE_LIKE.test(place.names[0]!)) return 'foreign-drive'
  if (place.names.some((name) => UNSPEAKABLE.test(name))) return 'control-character'
  return place.names.some(hasHalfCharacter) ? 'not-unicode' : undefined
}

function decodeName(segment: string, platform: Platform): string | Refusal {
  if (/%2f/i.test(segment) || (platform === 'win32' && /%5c/i.test(segment))) return refuse('encoded-separator')
  try {
    const name = decodeURIComponent(segment)
    return name === '.' || name === '..' ? refuse('dot-segment') : name
  } catch {
    return refuse('bad-escape')
  }
}

/** Encodes one name: what RFC 3986 calls *pchar* stays, all else becomes UTF-8 in upper-case hexadecimal. */
export function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(ENCODED_PCHAR, decodeURIComponent)
}
