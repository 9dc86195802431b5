// The tools of a small filesystem server, for whichever SDK: all they know of the disk is what the guard lets them do. In your project the import is from 'consentry/server-kit'.
import type { GuardedFiles } from '../src/server-kit/index.ts'

export interface ToolResult {
  readonly [key: string]: unknown
  readonly content: { type: 'text'; text: string }[]
  readonly isError?: boolean
}

const path = { type: 'string', description: 'absolute, or relative to a folder that was granted' } as const

export const tools: {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, Record<string, string>>; required: string[] }
}[] = [
  { name: 'read', description: 'Reads a text file.', inputSchema: { type: 'object', properties: { path }, required: ['path'] } },
  { name: 'list', description: 'Lists a folder.', inputSchema: { type: 'object', properties: { path }, required: ['path'] } },
  {
    name: 'write',
    description: 'Writes a text file, and makes the folders around it.',
    inputSchema: { type: 'object', properties: { path, text: { type: 'string' } }, required: ['path', 'text'] },
  },
]

/** Runs one tool. What the guard refuses is thrown, and becomes a result that a model can read. */
export async function runTool(files: GuardedFiles, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
  const { path: where, text } = input
  if (typeof where !== 'string') return say('Give a path.', true)
  switch (name) {
    case 'read':
      return say((await files.readFile(where)).text)
    case 'list':
      return say((await files.list(where)).entries.map((entry) => (entry.kind === 'folder' ? `${entry.name}/` : entry.name)).join('\n'))
    case 'write':
      if (typeof text !== 'string') return say('Give a text.', true)
      return say(`Written: ${(await files.writeFile(where, text, { parents: true })).path}`)
    default:
      return say(`There is no tool called ${name}.`, true)
  }
}

function say(text: string, isError = false): ToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}
