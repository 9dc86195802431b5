import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import type { DescribedTree } from './described-tree.ts'
import { describeDisk } from './described-disk.ts'
import type { Disk } from './disk.ts'
import type { Platform } from './place.ts'

/** A text that a line of `consentry check` must hold. @throws ConsentryError `USAGE` */
export function requireText(input: JsonObject, key: string): string {
  const text = optionalText(input, key)
  if (text === undefined) throw new ConsentryError('USAGE', `"${key}" is missing: give it a text.`)
  return text
}

/** A text that a line of `consentry check` may hold. @throws ConsentryError `USAGE` */
export function optionalText(input: JsonObject, key: string): string | undefined {
  const value = memberOf(input, key)
  if (value !== undefined && typeof value !== 'string') throw new ConsentryError('USAGE', `"${key}" must be a text.`)
  return value
}

/** One of a few words. @throws ConsentryError `USAGE` */
export function requireOneOf<Word extends string>(input: JsonObject, key: string, words: readonly Word[]): Word {
  const text = requireText(input, key)
  const word = words.find((one) => one === text)
  if (word === undefined) throw new ConsentryError('USAGE', `"${key}" must be ${words.map((one) => `"${one}"`).join(' or ')}.`)
  return word
}

/** A list of texts. @throws ConsentryError `USAGE` */
export function requireTexts(input: JsonObject, key: string): readonly string[] {
  const list = memberOf(input, key)
  if (!isListOfTexts(list)) throw new ConsentryError('USAGE', `"${key}" must be a list of texts.`)
  return list
}

/** The disk that a line describes in `tree` and `volume`, or the real one where it describes none. @throws ConsentryError `USAGE` */
export function readDisk(input: JsonObject, platform: Platform, realDisk: () => Disk): Disk {
  const tree = memberOf(input, 'tree')
  if (tree === undefined) {
    const disk = realDisk()
    if (disk.platform !== platform) throw new ConsentryError('USAGE', `This machine has no ${platform} disk: describe one in "tree".`)
    return disk
  }
  const volume = memberOf(input, 'volume')
  if (!isTree(tree))
    throw new ConsentryError('USAGE', '"tree" must hold lists of paths in "dirs" and "unreadable", and texts by path in "files", "links", "hard", "short".')
  if (volume !== undefined && !isJsonObject(volume)) throw new ConsentryError('USAGE', '"volume" must be an object.')
  return describeDisk(tree, { platform, volume })
}

/** An own member; inherited names are never found. */
export function memberOf(object: JsonObject, key: string): JsonObject[string] {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isTree(tree: unknown): tree is DescribedTree {
  if (!isJsonObject(tree)) return false
  const lists = ['dirs', 'unreadable'].every((key) => isAbsentOr(isListOfTexts, memberOf(tree, key)))
  const tables = ['links', 'hard', 'short'].every((key) => isAbsentOr(isTableOfTexts, memberOf(tree, key)))
  const files = memberOf(tree, 'files')
  return lists && tables && (isAbsentOr(isListOfTexts, files) || isTableOfTexts(files))
}

function isAbsentOr(isRight: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || isRight(value)
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isTableOfTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
}
