import { findLookalike } from './lookalikes.ts'

/** What is read of a text at most: what comes after that is not seen by a person either. */
const longestText = 2000

const escapeSequence = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/gu
const blockTag = /<\/?(?:br|p|div|li|ul|ol|td|tr|h[1-6]|hr)\b[^<>]{0,200}>/giu
const inlineTag = /<\/?[a-z!][^<>]{0,200}>/giu
const link = /!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/gu
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\u2800]/gu
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

/**
 * A text as a person would read it aloud, so that disguises fall away: compatibility letters, invisible characters, markup, accents and
 * letters of other scripts that look like Latin ones. Keeps case, because words hide in it.
 */
export function foldText(text: string): string {
  const read = text.slice(0, longestText)
  if (/^[\w .,:;?!()/$@-]*$/u.test(read)) return read
  const plain = decodeEntities(read)
    .replaceAll(escapeSequence, '')
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(/[\p{Cc}\p{Z}]/gu, ' ')
    .replaceAll(/[‐‑‒]/gu, '-')
    .replaceAll(blockTag, ' ')
    .replaceAll(inlineTag, '')
    .replaceAll(link, '$1')
    .replaceAll(/[*`~]+(?=\S)|(?<=\S)[*`~]+/gu, '')
  const bare = plain.normalize('NFD').replaceAll(accents, '').normalize('NFC')
  return Array.from(bare, (character) => findLookalike(character) ?? character).join('')
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', zwnj: '', zwj: '' }

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/giu, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(namedEntities, name.toLowerCase()) ? namedEntities[name.toLowerCase()]! : whole
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
  })
}
