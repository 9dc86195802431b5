import { invalid } from './read-fields.ts'

const ILLEGAL_IN_BASE64 = /[^A-Za-z0-9+/]/
const SUBTYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}[ \t]*(?:;[^\p{Cc}]*)?$/iu

/**
 * Refuses what is not base64 in the standard alphabet, padded and without blanks (RFC 4648, section 4), or too large.
 * Linear, and the size is looked at first.
 */
export function checkBase64(data: string, path: string, maximumBytes: number): void {
  if (decodedLength(data) > maximumBytes) throw invalid(path, `is larger than ${maximumBytes} bytes decoded: send less`)
  if (data.startsWith('data:')) throw invalid(path, 'must be the base64 alone: leave the "data:…;base64," prefix away')
  if (data.length % 4 !== 0) throw invalid(path, 'must be base64, padded with "=" to a multiple of four')
  const end = data.search(ILLEGAL_IN_BASE64)
  if (end !== -1 && end !== data.length - paddingOf(data))
    throw invalid(path, 'must be base64 in the standard alphabet (A-Z a-z 0-9 + /), without blanks or line breaks')
}

/** Bytes that base64 stands for, judged by its length. */
export function decodedLength(data: string): number {
  return Math.floor((data.length * 3) / 4) - paddingOf(data)
}

/** Refuses a media type that is not `image/SUBTYPE` (or `audio/SUBTYPE`); any case, parameters allowed. */
export function checkMediaType(mediaType: string, path: string, type: 'image' | 'audio'): void {
  const slash = type.length + 1
  if (mediaType.slice(0, slash).toLowerCase() !== `${type}/` || !SUBTYPE.test(mediaType.slice(slash)))
    throw invalid(path, `must be a media type of the block's kind, like "${type === 'image' ? 'image/png' : 'audio/wav'}"`)
}

function paddingOf(data: string): number {
  if (data.endsWith('==')) return 2
  return data.endsWith('=') ? 1 : 0
}
