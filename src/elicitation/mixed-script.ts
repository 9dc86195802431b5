/** Every script of Unicode 15 but Common and Inherited, which belong to all. */
const scriptNames = (
  'Latn Cyrl Grek Hani Hira Kana Hang Bopo Arab Hebr Armn Geor Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Ethi Khmr Mong Cher Cans ' +
  'Adlm Aghb Ahom Armi Avst Bali Bamu Bass Batk Bhks Brah Brai Bugi Buhd Cakm Cari Cham Chrs Copt Cpmn Cprt Diak Dogr Dsrt Dupl Egyp Elba Elym Glag Gong Gonm Goth Gran ' +
  'Hano Hatr Hluw Hmng Hmnp Hung Ital Java Kali Kawi Khar Khoj Kits Kthi Lana Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Modi Mroo ' +
  'Mtei Mult Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd ' +
  'Sidd Sind Sogd Sogo Sora Soyo Sund Sylo Syrc Tagb Takr Tale Talu Tang Tavt Tfng Tglg Thaa Tirh Tnsa Toto Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb'
).split(' ')

/** What may stand together in one label: a script alone, or Latin with the scripts that Japanese, Chinese and Korean are written in. */
const together = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang'].map((names) => names.split(' '))

let patterns: readonly RegExp[] | undefined

/**
 * Whether a label mixes scripts beyond what UTS 39 calls "highly restrictive". Honest Korean, Chinese and Japanese names never do.
 * @see Unicode UTS 39, section 5.2
 */
export function isMixedScript(label: string): boolean {
  if (/^\p{ASCII}*$/u.test(label)) return false
  patterns ??= [...scriptNames.map((name) => [name]), ...together].map(onlyOf)
  return !patterns.some((pattern) => pattern.test(label))
}

function onlyOf(names: readonly string[]): RegExp {
  return new RegExp(`^[${['Zyyy', 'Zinh', ...names].map((name) => `\\p{Script_Extensions=${name}}`).join('')}]*$`, 'u')
}
