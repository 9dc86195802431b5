import { applyEdits, createScanner, findNodeAtLocation, getNodeValue, modify, parseTree, type FormattingOptions, type Node } from 'jsonc-parser'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import type { JsoncPath } from './read-jsonc.ts'

/**
 * Puts a value at a path. A new member, or list element, goes behind the last one, laid out like it; everything else stays as it is written, comments included.
 * Of a value that is replaced, only what differs is written anew where there are comments in it.
 */
export function setJsonc(source: string, path: JsoncPath, value: Json): string {
  const name = path.at(-1)
  const parent = path.slice(0, -1)
  const container = nodeAt(source, parent)
  if (container === undefined && typeof name === 'string') return setJsonc(source, parent, { [name]: value })
  const before = nodeAt(source, path)
  if (before !== undefined && hasComments(source, before.offset, endOf(before))) return mergeInto(source, path, before, value)
  if (container === undefined || before !== undefined || !isContainer(container)) return modifyJsonc(source, path, value)

  const text = `${container.type === 'object' ? `${JSON.stringify(name)}: ` : ''}${inOneLine(value)}`
  const last = container.children?.at(-1)
  if (last !== undefined) return insertBehind(source, last, text)
  return hasComments(source, container.offset, endOf(container)) ? fillEmpty(source, container, text) : modifyJsonc(source, path, value)
}

/** Puts an element before all others of a list that has some. */
export function setFirst(source: string, list: JsoncPath, value: Json): string {
  const container = nodeAt(source, list)
  const first = container?.children?.[0]
  if (container === undefined || first === undefined) return setJsonc(source, list, [value])
  const blanks = blanksBefore(source, first.offset)
  if (blanks === ' ') return insertAt(source, first.offset, `${inOneLine(value)}, `)
  return insertAt(source, restOfLine(source, container.offset + 1).end, `${blanks}${inOneLine(value)},`)
}

/** Takes out an element of a list, with its comma, and with its line if nothing else stands there. Comments stay. */
export function removeElement(source: string, list: JsoncPath, index: number): string {
  return removeChild(source, nodeAt(source, list)?.children ?? [], index)
}

/** Takes out a member of an object; what is not there changes nothing. Comments stay, but for those inside it. */
export function removeMember(source: string, path: JsoncPath): string {
  const property = nodeAt(source, path)?.parent
  const members = property?.parent?.children
  if (property === undefined || members === undefined) return source
  const [cut] = modify(source, [...path], undefined, {})
  const end = endOf(property)
  const hasTrailingComma = property === members.at(-1) && commaAfter(source, end) !== undefined
  const isBare =
    cut !== undefined &&
    !hasTrailingComma &&
    !hasComments(source, cut.offset, property.offset) &&
    !hasComments(source, end, Math.max(end, cut.offset + cut.length))
  return isBare ? modifyJsonc(source, path, undefined) : removeChild(source, members, members.indexOf(property))
}

/** The names of an object's members as they are written; none where there is no object. */
export function memberNames(source: string, path: JsoncPath): readonly string[] {
  return (nodeAt(source, path)?.children ?? []).flatMap((property) => {
    const name: unknown = property.type === 'property' ? property.children?.[0]?.value : undefined
    return typeof name === 'string' ? [name] : []
  })
}

/** Takes out a list or an object that holds nothing, not even a comment. */
export function removeEmpty(source: string, path: JsoncPath): string {
  const node = nodeAt(source, path)
  const isEmpty = node !== undefined && isContainer(node) && (node.children ?? []).length === 0 && !hasComments(source, node.offset, endOf(node))
  const property = isEmpty ? node.parent : undefined
  const members = property?.parent?.children ?? []
  return property === undefined ? source : removeChild(source, members, members.indexOf(property))
}

function removeChild(source: string, children: readonly Node[], index: number): string {
  const child = children[index]
  if (child === undefined) return source
  const end = endOf(child)
  const previous = children[index - 1]
  const comma = commaAfter(source, end) ?? (previous && commaAfter(source, endOf(previous)))
  const cuts: [start: number, end: number][] = [[child.offset, end]]
  if (comma !== undefined) cuts.push([comma, comma + 1])
  let changed = source
  for (const [from, to] of cuts.toSorted(([one], [other]) => other - one)) changed = `${changed.slice(0, from)}${changed.slice(to)}`
  return withoutEmptyLine(changed, comma !== undefined && comma < child.offset ? child.offset - 1 : child.offset)
}

/** What differs is written anew, member by member, so that comments between them stay. */
function mergeInto(source: string, path: JsoncPath, before: Node, value: Json): string {
  const had: unknown = getNodeValue(before)
  if (isJsonObject(value) && isJsonObject(had)) {
    const without = Object.keys(had).reduce((text, key) => (Object.hasOwn(value, key) ? text : removeMember(text, [...path, key])), source)
    return Object.entries(value).reduce((text, [key, member]) => (isSame(had[key], member) ? text : setJsonc(text, [...path, key], member ?? null)), without)
  }
  if (Array.isArray(value) && Array.isArray(had)) {
    const elements = value as readonly Json[]
    let changed = source
    for (let index = had.length - 1; index >= elements.length; index -= 1) changed = removeElement(changed, path, index)
    return elements.reduce<string>((text, element, index) => (isSame(had[index], element) ? text : setJsonc(text, [...path, index], element)), changed)
  }
  return `${source.slice(0, before.offset)}${inOneLine(value)}${source.slice(endOf(before))}`
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Behind the last one, and behind the comment on its line, which is about it. */
function insertBehind(source: string, last: Node, text: string): string {
  const blanks = blanksBefore(source, last.offset)
  const comma = commaAfter(source, endOf(last))
  const { end, isLineComment } = restOfLine(source, comma === undefined ? endOf(last) : comma + 1)
  const inserted = `${isLineComment && !blanks.includes('\n') ? `${eolOf(source)}  ` : blanks}${text}${comma === undefined ? '' : ','}`
  const changed = insertAt(source, end, inserted)
  return comma === undefined ? insertAt(changed, endOf(last), ',') : changed
}

/** Behind the comments in braces or brackets that hold nothing else. */
function fillEmpty(source: string, container: Node, text: string): string {
  const close = endOf(container) - 1
  const inside = source.slice(container.offset + 1, close)
  if (!inside.includes('\n')) return `${source.slice(0, close).trimEnd()} ${text} ${source.slice(close)}`
  const indent = lineIndent(source, container.offset)
  const [eol, { insertSpaces, tabSize }] = [eolOf(source), formattingOf(source)]
  const unit = insertSpaces === false ? '\t' : ' '.repeat(tabSize ?? 2)
  return `${source.slice(0, close).trimEnd()}${eol}${indent}${unit}${text}${eol}${indent}${source.slice(close)}`
}

/** Lets two elements of a list change places, each as it is written. Comments around them stay. */
export function swapElements(source: string, list: JsoncPath, one: number, other: number): string {
  const elements = nodeAt(source, list)?.children ?? []
  const [before, after] = [elements[Math.min(one, other)], elements[Math.max(one, other)]]
  if (before === undefined || after === undefined || before === after) return source
  const textOf = ({ offset, length }: Node): string => source.slice(offset, offset + length)
  const between = source.slice(before.offset + before.length, after.offset)
  return `${source.slice(0, before.offset)}${textOf(after)}${between}${textOf(before)}${source.slice(after.offset + after.length)}`
}

function nodeAt(source: string, path: JsoncPath): Node | undefined {
  const root = parseTree(source, [], { allowTrailingComma: true })
  return root && findNodeAtLocation(root, [...path])
}

function modifyJsonc(source: string, path: JsoncPath, value: Json | undefined): string {
  return applyEdits(source, modify(source, [...path], value, { formattingOptions: formattingOf(source) }))
}

function isContainer({ type }: Node): boolean {
  return type === 'object' || type === 'array'
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function insertAt(source: string, offset: number, text: string): string {
  return `${source.slice(0, offset)}${text}${source.slice(offset)}`
}

function hasComments(source: string, from: number, to: number): boolean {
  const scanner = createScanner(source)
  scanner.setPosition(from)
  while (scanner.getPosition() < to) {
    scanner.scan()
    if (/^\/[/*]/u.test(source.slice(scanner.getTokenOffset(), scanner.getPosition()))) return true
  }
  return false
}

/** Where the comments end that follow on the same line, if nothing but they and the end of the line follows; else where it began. */
function restOfLine(source: string, offset: number): { readonly end: number; readonly isLineComment: boolean } {
  const scanner = createScanner(source)
  scanner.setPosition(offset)
  let end = offset
  while (scanner.getPosition() < source.length) {
    scanner.scan()
    const last = scanner.getPosition()
    const token = source.slice(scanner.getTokenOffset(), last)
    if (token.startsWith('//')) return { end: last, isLineComment: true }
    if (token.startsWith('/*')) end = last
    else if (/[\r\n]/u.test(token)) return { end, isLineComment: false }
    else if (token.trim() !== '') return { end: offset, isLineComment: false }
  }
  return { end, isLineComment: false }
}

/** What separates one element from the one before it: a line with its indentation, or a blank. */
export function blanksBefore(source: string, offset: number): string {
  const blanks = /[ \t\r\n]*$/.exec(source.slice(0, offset))?.[0] ?? ''
  const line = blanks.lastIndexOf('\n')
  if (line === -1) return ' '
  return `${blanks.at(line - 1) === '\r' ? '\r' : ''}${blanks.slice(line)}`
}

/** Where the comma behind an element is, comments passed over. */
export function commaAfter(source: string, offset: number): number | undefined {
  const scanner = createScanner(source, true)
  scanner.setPosition(offset)
  scanner.scan()
  return source[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined
}

function withoutEmptyLine(source: string, offset: number): string {
  const start = source.lastIndexOf('\n', offset - 1) + 1
  const next = source.indexOf('\n', offset)
  if (start === 0 || next === -1 || source.slice(start, next).trim() !== '') return source
  return `${source.slice(0, start)}${source.slice(next + 1)}`
}

/** As people write it: `{ "path": "/a" }`. */
function inOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((element: Json) => inOneLine(element)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value as JsonObject).map(([key, member]) => `${JSON.stringify(key)}: ${inOneLine(member ?? null)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function formattingOf(source: string): FormattingOptions {
  const indent = /^[ \t]+/m.exec(source)?.[0] ?? '  '
  return { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 1 : indent.length, eol: eolOf(source) }
}

function eolOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n'
}

/** What the line begins with on which something stands. */
function lineIndent(source: string, offset: number): string {
  return /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n', offset) + 1))?.[0] ?? ''
}
