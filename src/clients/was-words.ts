import { optionValues } from './our-words.ts'
import { addressKeys } from './standing.ts'

/** What an entry had before it was wrapped and does not show any more: among our words, so that it can be given back without any record. */
export interface FormerEntry {
  /** Of its address; by default `url`. */
  readonly key?: string | undefined
  /** Where it had one; by default `http`. */
  readonly type?: string | undefined
  /** It had "headers" with nothing in them. */
  readonly emptyHeaders?: boolean | undefined
  /** It had a command and no "args". */
  readonly noArguments?: boolean | undefined
}

const option = '--was'
const usual = { key: 'url', type: 'http' } as const

/** What is not as usual, as words of `wrap`, which pays no heed to them. */
export function wasWords({ key = usual.key, type = usual.type, emptyHeaders = false, noArguments = false }: FormerEntry): readonly string[] {
  return [
    ...(key === usual.key ? [] : [`key=${key}`]),
    ...(type === usual.type ? [] : [`type=${type}`]),
    ...(emptyHeaders ? ['empty-headers'] : []),
    ...(noArguments ? ['no-args'] : []),
  ].flatMap((word) => [option, word])
}

/** @param options between `wrap` and `--` */
export function readWasWords(options: readonly string[]): FormerEntry & { readonly key: string; readonly type: string } {
  const given = optionValues(options, option)
  const last = (name: string): string | undefined => given.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  return {
    key: addressKeys.find((key) => key === last('key')) ?? usual.key,
    type: last('type') ?? usual.type,
    emptyHeaders: given.includes('empty-headers'),
    noArguments: given.includes('no-args'),
  }
}
