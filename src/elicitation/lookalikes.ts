/**
 * Letters and digits of other scripts that look like one of ASCII's, under the letter that they look like.
 *
 * Single characters that survive NFKC, without right-to-left scripts, and the small capitals of phonetics. @see Unicode UTS 39, "Confusable Detection"
 */
const lookalikes: Readonly<Record<string, string>> = {
  '2': 'ƧϨᒿꙄꛯꝚ',
  '3': 'ƷȜЗӠⳌꝪꞫ𑣊𖼻',
  '4': 'Ꮞ𑢯',
  '5': 'Ƽ𑢻',
  '6': 'бᏮⳒ𑣕',
  '7': '𐓒𑣆',
  '8': 'Ȣȣ৪੪𐌚',
  '9': '৭੧୨൭ⳊꝮ𑢬𑣌𑣖',
  A: 'ΑАᎪᗅꓮ𐊠𖽀',
  B: 'ΒВᏴᗷꓐꞴ𐊂𐊡𐌁',
  C: 'СᏟⲤꓚ𐊢𐌂𐐕𐔜𑣩𑣲',
  D: 'Ꭰᗞᗪꓓ',
  E: 'ΕЕᎬⴹꓰ𐊆𑢦𑢮',
  F: 'ϜᖴꓝꞘ𐊇𐊥𐔥𑢢𑣂',
  G: 'ԌᏀᏳꓖ',
  H: 'ΗНᎻᕼⲎꓧ𐋏',
  J: 'ͿЈᎫᒍꓙꞲ',
  K: 'ΚКᏦᛕⲔꓗ𐔘',
  L: 'ᏞᒪⳐꓡ𐐛𐔦𑢣𑢲𖼖',
  M: 'ΜϺМᎷᗰᛖⲘꓟ𐊰𐌑',
  N: 'ΝⲚꓠ𐔓',
  O: 'ΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ𐊒𐊫𐐄𐓂𐔖𑓐𑢵𑣠',
  P: 'ΡРᏢᑭⲢꓑ𐊕',
  Q: 'ⵕ',
  R: 'ƦᎡᏒᖇꓣ𐒴𖼵',
  S: 'ЅՏᏕᏚꓢ𐊖𐐠𖼺',
  T: 'ΤТᎢⲦꓔ𐊗𐊱𐌕𑢼𖼊',
  U: 'Սሀᑌꓴ𐓎𑢸𖽂',
  V: 'ѴᏙᐯⴸꓦꛟ𐔝𑢠𖼈',
  W: 'ԜᎳᏔꓪ𑣦𑣯',
  X: 'ΧХᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬',
  Y: 'ΥУҮᎩᎽⲨꓬ𐊲𑢤𖽃',
  Z: 'ΖᏃꓜ𐋵𑢩𑣥',
  a: 'ɑαаᴀ',
  b: 'ƄЬᏏᑲᖯʙ',
  c: 'сᴄⲥꮯ𐐽',
  d: 'ԁᏧᑯꓒᴅ',
  e: 'еҽꬲᴇ',
  f: 'քẝꞙꬵꜰ',
  g: 'ƍɡցᶃɢ',
  h: 'һհᏂʜ',
  I: 'ΙІӀⲒ',
  i: 'ıɩɪιіᎥꙇꭵ𑣃',
  j: 'ϳјᴊ',
  k: 'ᴋ',
  l: 'Ɩǀӏᛁⵏꓲ𐊊𐌉𐌠𖼨ʟ',
  m: 'ᴍ',
  n: 'ոռɴ',
  o: 'οσоօ०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ𐐬𐓪𑣈𑣗',
  p: 'ρрⲣᴘ',
  q: 'ԛգզ',
  r: 'гᴦⲅꭇꭈꮁʀ',
  s: 'ƽѕꜱꮪ𐑈𑣁',
  t: 'ᴛ',
  u: 'ʋυսᴜꞟꭎꭒ𐓶𑣘',
  v: 'νѵᴠꮩ𑜆𑣀',
  w: 'ɯѡԝաᴡꮃ𑜊𑜎𑜏',
  x: 'хᕁᕽ',
  y: 'ɣʏγуүყᶌỿꭚ𑣜',
  z: 'ᴢꮓ𑣄',
}

const asciiOf: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([ascii, others]) => Array.from(others, (other): [string, string] => [other, ascii])),
)

/** The ASCII letter or digit that a character could be taken for; undefined where there is none. */
export function findLookalike(character: string): string | undefined {
  return asciiOf.get(character)
}
