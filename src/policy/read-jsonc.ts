import { createScanner, findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser'
import { ConsentryError, type ErrorCode } from '../errors.ts'
import type { Json } from '../protocol/index.ts'

/** The way to a value: keys and list positions, from the top. */
export type JsoncPath = readonly (string | number)[]

/** Counted from 1; columns in UTF-16 units, as editors count them. */
export interface JsoncPosition {
  readonly line: number
  readonly column: number
}

/** JSON with comments, together with where everything stands. */
export interface JsoncDocument {
  readonly file: string
  /** Objects have no prototype, so that only what the file says is in them. */
  readonly value: Json
  /** Where the key or list element is; of something that is missing, where the nearest thing around it is. */
  positionOf(path: JsoncPath): JsoncPosition
  /** @returns an error to throw: `FILE:LINE:COLUMN message`, with `file`, `line` and `column` in its data */
  faultAt(path: JsoncPath, message: string): ConsentryError
}

const DEEPEST = 100

/**
 * Parses JSON with comments. Trailing commas and a byte order mark are fine; a key that stands twice is not, nor is an empty file:
 * what was meant could be more than what is left. A number beyond a double is Infinity, as JSON.parse has it: whoever takes a number says what fits.
 *
 * @throws ConsentryError with the given code, at the first fault
 */
export function readJsonc(text: string, file: string, code: ErrorCode): JsoncDocument {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const fault = (offset: number, message: string): ConsentryError => {
    const { line, column } = positionAt(source, offset)
    return new ConsentryError(code, `${file}:${line}:${column} ${message}`, { data: { file, line, column } })
  }
  const tooDeep = findTooDeep(source)
  if (tooDeep !== undefined) throw fault(tooDeep, `nested more than ${DEEPEST} levels deep`)
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) throw fault(error.offset, describe(error))
  if (root === undefined) throw fault(0, 'the file is empty: write {} at least')

  const positionOf = (path: JsoncPath): JsoncPosition => positionAt(source, offsetOf(root, path))
  return {
    file,
    value: valueOf(root, fault),
    positionOf,
    faultAt: (path, message) => fault(offsetOf(root, path), message),
  }
}

function offsetOf(root: Node, path: JsoncPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent.offset : node.offset
  }
  return root.offset
}

function valueOf(node: Node, fault: (offset: number, message: string) => ConsentryError): Json {
  if (node.type === 'array') return (node.children ?? []).map((child) => valueOf(child, fault))
  if (node.type !== 'object') return node.value as string | number | boolean | null
  const object = Object.create(null) as Record<string, Json>
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    if (key === undefined || value === undefined) continue
    const name = key.value as string
    if (Object.hasOwn(object, name)) throw fault(key.offset, `${JSON.stringify(name)} stands twice in the same object`)
    object[name] = valueOf(value, fault)
  }
  return object
}

/** The parser calls itself for each level, so that depth is bounded before it runs. */
function findTooDeep(source: string): number | undefined {
  const scanner = createScanner(source, true)
  let depth = 0
  while (scanner.getPosition() < source.length) {
    scanner.scan()
    const start = source[scanner.getTokenOffset()]
    if (start === '{' || start === '[') depth += 1
    if (start === '}' || start === ']') depth -= 1
    if (depth > DEEPEST) return scanner.getTokenOffset()
  }
  return undefined
}

function positionAt(source: string, offset: number): JsoncPosition {
  const lines = source.slice(0, offset).split(/\r\n|\n|\r/)
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** In the order of the parser's codes, which count from 1. */
const faults: readonly string[] = [
  'this is neither a value nor a key in double quotes',
  'this is not a number',
  'a key in double quotes is missing',
  'a value is missing',
  'a colon is missing',
  'a comma is missing',
  'a closing } is missing',
  'a closing ] is missing',
  'there is more after the end',
  'this comment is not allowed here',
  'the comment is not closed',
  'the text is not closed by a double quote',
  'the number is not complete',
  'after \\u four hexadecimal digits are needed',
  'this escape is not known',
  'a control character stands in a text: write it as an escape',
]

function describe({ error: code }: ParseError): string {
  return faults[code - 1] ?? 'this is not JSON'
}
