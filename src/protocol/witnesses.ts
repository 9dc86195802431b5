import type { Secret } from './find-secrets.ts'

/** So many words beside a mark may tell it from others. */
const MOST_WORDS = 4
/** Characters beside a mark that are read. */
const FARTHEST = 160

/** Several stand beside the same words. */
type Known = Map<string, Secret | undefined>

/** The words that stand beside the secrets of a text, up to the next mark: as many of them as tell one from all others of its kind. */
export class Witnesses {
  readonly #taken: string
  readonly #before: Known = new Map()
  readonly #behind: Known = new Map()

  constructor(taken: string, secrets: readonly Secret[]) {
    this.#taken = taken
    for (const secret of secrets) {
      const { mark, at } = secret
      for (const key of keysBefore(taken, at, mark)) keep(this.#before, key, secret)
      for (const key of keysBehind(taken, at, mark)) keep(this.#behind, key, secret)
    }
  }

  /** True where words beside a mark stood beside that secret alone, and none of them beside another alone. */
  speakFor({ value, mark }: Secret, text: string, at: number): boolean {
    const named = [ask(this.#before, keysBefore(text, at, mark)), ask(this.#behind, keysBehind(text, at, mark))].filter((one) => one !== undefined)
    return named.length > 0 && named.every((one) => one.value === value)
  }

  /** True where the nearest words on its line are those of that secret. */
  standAlike({ mark, at: before }: Secret, text: string, at: number): boolean {
    const isSame = (near: (text: string, at: number) => string): boolean => near(text, at) === near(this.#taken, before)
    return (
      isSame((words, place) => /\S*[^\S\n]*$/.exec(textBefore(words, place))![0]) &&
      isSame((words, place) => /^[^\S\n]*\S*/.exec(textBehind(words, place, mark))![0])
    )
  }
}

function keep(known: Known, key: string, secret: Secret): void {
  const isOthers = known.has(key) && known.get(key)?.value !== secret.value
  known.set(key, isOthers ? undefined : secret)
}

function ask(known: Known, keys: readonly string[]): Secret | undefined {
  return keys.map((key) => known.get(key)).find((secret) => secret !== undefined)
}

function keysBefore(text: string, at: number, mark: string): readonly string[] {
  return keysOf(wordsOf(textBefore(text, at)).toReversed(), mark.slice(0, mark.indexOf(']')))
}

function keysBehind(text: string, at: number, mark: string): readonly string[] {
  return keysOf(wordsOf(textBehind(text, at, mark)), mark.slice(mark.lastIndexOf('[')))
}

function textBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - FARTHEST), at)
  return near.slice(near.lastIndexOf(']') + 1)
}

function textBehind(text: string, at: number, mark: string): string {
  return text.slice(at + mark.length, at + mark.length + FARTHEST).split('[', 1)[0]!
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+/g) ?? []
}

/** One word, two, and so on. */
function keysOf(words: readonly string[], kind: string): readonly string[] {
  let key = kind
  return words.slice(0, MOST_WORDS).map((word) => (key += ` ${word}`))
}
