import { parseTree, type Node } from 'jsonc-parser'
import { ConsentryError } from '../../errors.ts'
import { parseConfig, type ConfigPlace } from '../../policy/index.ts'

/**
 * Every fault of a config, each with its place, where reading it ends at the first: each part is read alone, with blanks in the place of all others.
 *
 * @returns nothing where there is no fault
 */
export function findConfigFaults(text: string, file: string, place: ConfigPlace): readonly ConsentryError[] {
  const whole = faultOf(text, file, place)
  if (whole === undefined) return []
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const root = parseTree(text.slice(mark), [], { allowTrailingComma: true })
  const faults = new Map<string, ConsentryError>()
  for (const kept of root ? partsOf(root) : []) {
    const fault = faultOf(blankAround(text, kept, mark), file, place)
    if (fault) faults.set(fault.message, fault)
  }
  // What is wrong only together with something else, or with the text as a whole.
  return faults.size === 0 ? [whole] : [...faults.values()]
}

function faultOf(text: string, file: string, place: ConfigPlace): ConsentryError | undefined {
  try {
    parseConfig(text, file, place)
    return undefined
  } catch (error) {
    if (error instanceof ConsentryError) return error
    throw error
  }
}

/** Each member of each section, with what stands around it. */
function partsOf(root: Node): readonly (readonly Node[])[] {
  return (root.children ?? []).flatMap((section) => {
    const value = section.children?.[1]
    const members = value?.type === 'object' || value?.type === 'array' ? (value.children ?? []) : []
    return members.length === 0 ? [[root, section]] : members.map((member) => [root, section, value!, member])
  })
}

/** The same text with blanks for all but one part, so that every line and column stays. */
function blankAround(text: string, [root, section, value, member]: readonly Node[], mark: number): string {
  const part = member ?? section!
  const keeps = (offset: number): boolean => {
    if (offset >= part.offset && offset < part.offset + part.length) return true
    const isEdge = [root!, ...(value ? [value] : [])].some((node) => offset === node.offset || offset === node.offset + node.length - 1)
    return isEdge || (value !== undefined && offset >= section!.offset && offset < value.offset)
  }
  return [...text.slice(mark).split('').entries()].map(([offset, unit]) => (keeps(offset) || unit === '\n' || unit === '\r' ? unit : ' ')).join('')
}
