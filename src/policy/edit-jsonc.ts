import { applyEdits, createScanner, findNodeAtLocation, modify, parseTree, type FormattingOptions, type Node } from 'jsonc-parser'
import type { Json, JsonObject } from '../protocol/index.ts'
import type { JsoncPath } from './read-jsonc.ts'

/** Puts a value at a path. A new member, or list element, goes behind the last one, laid out like it; everything else stays as it is written. */
export function setJsonc(source: string, path: JsoncPath, value: Json): string {
  const container = nodeAt(source, path.slice(0, -1))
  const last = container?.children?.at(-1)
  const name = path.at(-1)
  if (container === undefined && typeof name === 'string') return setJsonc(source, path.slice(0, -1), { [name]: value })
  if (container === undefined || last === undefined || nodeAt(source, path) !== undefined)
    return applyEdits(source, modify(source, [...path], value, { formattingOptions: formattingOf(source) }))
  const key = container.type === 'object' ? `${JSON.stringify(name)}: ` : ''
  const end = last.offset + last.length
  return `${source.slice(0, end)},${blanksBefore(source, last.offset)}${key}${inOneLine(value)}${source.slice(end)}`
}

/** Takes out an element of a list, with its comma, and with its line if nothing else stands there. Comments stay. */
export function removeElement(source: string, list: JsoncPath, index: number): string {
  const elements = nodeAt(source, list)?.children ?? []
  const element = elements[index]
  if (element === undefined) return source
  const end = element.offset + element.length
  const previous = elements[index - 1]
  const comma = commaAfter(source, end) ?? (previous && commaAfter(source, previous.offset + previous.length))
  const cuts: [start: number, end: number][] = [[element.offset, end]]
  if (comma !== undefined) cuts.push([comma, comma + 1])
  let changed = source
  for (const [from, to] of cuts.toSorted(([one], [other]) => other - one)) changed = `${changed.slice(0, from)}${changed.slice(to)}`
  return withoutEmptyLine(changed, comma !== undefined && comma < element.offset ? element.offset - 1 : element.offset)
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

/** Takes out a member of an object; what is not there changes nothing. */
export function removeMember(source: string, path: JsoncPath): string {
  if (nodeAt(source, path) === undefined) return source
  return applyEdits(source, modify(source, [...path], undefined, { formattingOptions: formattingOf(source) }))
}

function nodeAt(source: string, path: JsoncPath): Node | undefined {
  const root = parseTree(source, [], { allowTrailingComma: true })
  return root && findNodeAtLocation(root, [...path])
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
  return { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 1 : indent.length, eol: source.includes('\r\n') ? '\r\n' : '\n' }
}
