import { closeBrace, colon, comma, endOfString, endOfValue, openBrace, quote, skipSpace, type Span } from './json-bytes.ts'
import type { KeySet } from './key-set.ts'

/** What was found of one object: the spans of the members that were looked for. */
export interface FoundMembers<Name extends string> {
  /** Absent where the object has no such member; the first where it has two. */
  readonly spans: Partial<Readonly<Record<Name, Span | undefined>>>
  /** Members that stand twice, or are written so that receivers may disagree about them. */
  readonly faults: readonly Name[]
}

/**
 * Finds the members of an object by their keys, each byte looked at once.
 *
 * @param span of the object, from its brace to just behind its other one
 * @returns undefined where no object stands there, or one that breaks off
 */
export function readMembers<Name extends string>(bytes: Buffer, { start, end }: Span, keys: KeySet<Name>): FoundMembers<Name> | undefined {
  const spans: Partial<Record<Name, Span>> = {}
  let faults: Name[] | undefined
  const isWhole = eachMember(bytes, start, end, (keyStart, keyEnd, valueStart, valueEnd) => {
    const { index, isExact } = keys.find(bytes, keyStart + 1, keyEnd - 1)
    if (index < 0) return
    const name = keys.names[index]!
    if (!isExact || spans[name] !== undefined) (faults ??= []).push(name)
    spans[name] ??= { start: valueStart, end: valueEnd }
  })
  return isWhole ? { spans, faults: faults ?? noFaults } : undefined
}

/** What was found of the beginning of an object. */
export interface BegunMembers<Name extends string> extends FoundMembers<Name> {
  /** The last member, whose value breaks off; without a name where it is none of those that were looked for. */
  readonly open: { readonly name: Name | undefined; readonly start: number }
}

/** Finds the members of an object whose end has not come yet; undefined where it does not break off in a value. */
export function readBegun<Name extends string>(bytes: Buffer, { start, end }: Span, keys: KeySet<Name>): BegunMembers<Name> | undefined {
  const spans: Partial<Record<Name, Span>> = {}
  const faults: Name[] = []
  let open: BegunMembers<Name>['open'] | undefined
  const note = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void => {
    const { index, isExact } = keys.find(bytes, keyStart + 1, keyEnd - 1)
    const name = index < 0 ? undefined : keys.names[index]!
    if (name !== undefined && (!isExact || spans[name] !== undefined)) faults.push(name)
    if (valueEnd < 0) open = { name, start: valueStart }
    else if (name !== undefined) spans[name] ??= { start: valueStart, end: valueEnd }
  }
  const isWhole = eachMember(bytes, start, end, note, note)
  return !isWhole && open ? { spans, faults, open } : undefined
}

/** One member as it stands: its key with the quotes, and its value. */
export interface Member {
  readonly key: Span
  readonly value: Span
}

/** All members of an object in their order; undefined where no whole object stands there. */
export function listMembers(bytes: Buffer, { start, end }: Span): readonly Member[] | undefined {
  const members: Member[] = []
  const isWhole = eachMember(bytes, start, end, (keyStart, keyEnd, valueStart, valueEnd) => {
    members.push({ key: { start: keyStart, end: keyEnd }, value: { start: valueStart, end: valueEnd } })
  })
  return isWhole ? members : undefined
}

const noFaults: readonly never[] = []

type Visit = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void

/** @param visitCut told of a member whose value does not end here */
function eachMember(bytes: Buffer, start: number, end: number, visit: Visit, visitCut?: Visit): boolean {
  let here = skipSpace(bytes, start, end)
  if (bytes[here] !== openBrace || here >= end) return false
  here = skipSpace(bytes, here + 1, end)
  if (bytes[here] === closeBrace) return skipSpace(bytes, here + 1, end) === end
  for (;;) {
    if (here >= end || bytes[here] !== quote) return false
    const keyStart = here
    const keyEnd = endOfString(bytes, here, end)
    if (keyEnd < 0) return false
    here = skipSpace(bytes, keyEnd, end)
    if (here >= end || bytes[here] !== colon) return false
    const valueStart = skipSpace(bytes, here + 1, end)
    const valueEnd = endOfValue(bytes, valueStart, end)
    if (valueEnd < 0) {
      if (valueStart < end) visitCut?.(keyStart, keyEnd, valueStart, valueEnd)
      return false
    }
    visit(keyStart, keyEnd, valueStart, valueEnd)
    here = skipSpace(bytes, valueEnd, end)
    if (here >= end) return false
    if (bytes[here] === closeBrace) return skipSpace(bytes, here + 1, end) === end
    if (bytes[here] !== comma) return false
    here = skipSpace(bytes, here + 1, end)
  }
}
