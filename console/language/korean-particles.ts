import type { Formatter } from 'i18next'

/** With and without a final consonant before it; the name is what a sentence calls the pair by: `{{server, 을를}}`. */
const particles: Readonly<Record<string, readonly [after: string, plain: string]>> = {
  을를: ['을', '를'],
  이가: ['이', '가'],
  은는: ['은', '는'],
  와과: ['과', '와'],
  으로로: ['으로', '로'],
}

/** Adds a word's particle in the form that the word's end asks for; both stand where its letters do not tell how it is spoken. */
export function withParticle(word: string, pair: string): string {
  const [after, plain] = particles[pair]!
  const end = endOf(word)
  if (end === undefined) return `${word}${pair === '으로로' ? '(으)로' : `${after}(${plain})`}`
  return word + (end === 'none' || (end === 'l' && pair === '으로로') ? plain : after)
}

/** Adds the pairs to what a sentence can ask for. */
export function addParticles(formatter: Formatter | undefined): void {
  for (const pair of Object.keys(particles)) formatter?.add(pair, (value) => withParticle(String(value), pair))
}

function endOf(word: string): 'none' | 'l' | 'other' | undefined {
  const spoken = word.toLowerCase().match(/[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u)?.[0] ?? ''
  const last = spoken.at(-1) ?? ''
  if (/[가-힣]/u.test(last)) return finals[(last.codePointAt(0)! - 0xac00) % 28] ?? 'other'
  if (/\d/u.test(last)) return digits[Number(last)]
  if (last === 'l') return 'l'
  if (/[mn]$|ng$/u.test(spoken)) return 'other'
  return /[adfghijoqrsuvwxyz]$/u.test(spoken) ? 'none' : undefined
}

const finals: Readonly<Record<number, 'none' | 'l'>> = { 0: 'none', 8: 'l' }

/** As the digits are spoken: yeong, il, i, sam, sa, o, yuk, chil, pal, gu. */
const digits = ['other', 'l', 'none', 'other', 'none', 'none', 'other', 'l', 'l', 'none'] as const
