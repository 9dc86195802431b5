/** Where a private key stands; one without an end goes on to the end of the text: rather too much than too little. */
export interface PrivateKey {
  readonly begin: string
  readonly start: number
  readonly end: number | undefined
}

/** From BEGIN to the END of the same title. */
export function findPrivateKeys(text: string): readonly PrivateKey[] {
  const keys: PrivateKey[] = []
  const begin = /-----BEGIN ([A-Z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?)-----/g
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const last = `-----END ${match[1] ?? ''}-----`
    const at = text.indexOf(last, begin.lastIndex)
    const end = at === -1 ? undefined : at + last.length
    keys.push({ begin: match[0], start: match.index, end })
    if (end === undefined) return keys
    begin.lastIndex = end
  }
  return keys
}

/** The BEGIN of a private key that goes on behind a text. */
export function findOpenKey(text: string): PrivateKey | undefined {
  const last = findPrivateKeys(text).at(-1)
  return last?.end === undefined ? last : undefined
}
