import type { SamplingRequest } from '../protocol/index.ts'
import { createUniqueNames } from './unique-names.ts'

const SAFE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
/** Room for a number behind it. */
const LONGEST_FITTED = 54

/** Names of tools as every provider takes them, and the way back. */
export interface ToolNames {
  toProvider(name: string): string
  fromProvider(name: string): string
}

/** Gives each tool of a request a name of letters, digits, `_` and `-` that begins with a letter or `_`. A name that is fit already stays; no two become one. */
export function mapToolNames({ tools = [], messages }: SamplingRequest): ToolNames {
  const used = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])))
  const names = new Set([...tools.map(({ name }) => name), ...used])
  const given = new Map([...names].filter((name) => SAFE.test(name)).map((name) => [name, name]))
  const makeUnique = createUniqueNames(given.keys())
  for (const name of names) if (!given.has(name)) given.set(name, makeUnique(fit(name)))
  const back = new Map([...given].map(([name, fit]) => [fit, name]))
  return { toProvider: (name) => given.get(name) ?? name, fromProvider: (name) => back.get(name) ?? name }
}

function fit(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^(?![A-Za-z_])/, '_')
    .slice(0, LONGEST_FITTED)
}
