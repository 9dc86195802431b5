import { estimateTokenCount } from 'tokenx'
import { utf8Length } from './utf8-length.ts'

const BYTES_PER_TOKEN = 4
/** Characters beyond which a text is judged by its bytes: exactly enough, and in no time. */
const LONGEST_READ = 20_000

/**
 * Tokens that a model makes of a text, about: by its words and scripts where it is short, and by its bytes, whichever is more:
 * what is not like words (keys, base64) takes more tokens than words do, and a budget is rather judged too small than too large.
 */
export function tokensOfText(text: string): number {
  const byBytes = Math.ceil(utf8Length(text) / BYTES_PER_TOKEN)
  return text.length > LONGEST_READ ? byBytes : Math.max(byBytes, estimateTokenCount(text))
}
