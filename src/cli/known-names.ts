import { nearestName } from '../policy/nearest-name.ts'

/** What there is in the place of a name that nobody has, as the end of a sentence, with the one that may be meant; empty where there is nothing. @param before such as `it has` */
export function knownNames(given: string, known: readonly string[], before: string = 'it has'): string {
  if (known.length === 0) return ''
  const nearest = nearestName(given, known)
  return ` (${before}: ${known.join(', ')}${nearest === undefined ? '' : `; is "${nearest}" meant?`})`
}
