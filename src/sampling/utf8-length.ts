/** Bytes that a text takes as UTF-8, counted without copying it. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit <= 0x7f) continue
    // Two surrogates are one character of four bytes; every other unit beyond U+07FF takes three.
    bytes += unit <= 0x7ff || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
