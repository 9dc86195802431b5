import type { JsonObject, ParentCall } from '../protocol/index.ts'

/** What a request of ours is called where somebody is asked in the middle of it: for the three that may ask. @see MCP 2026-07-28 basic/patterns/mrtr "Supported Requests" */
export function parentOf(method: string, params: JsonObject): ParentCall | undefined {
  if (method === 'tools/call') return { kind: 'tool', name: textIn(params['name']) }
  if (method === 'prompts/get') return { kind: 'prompt', name: textIn(params['name']) }
  return method === 'resources/read' ? { kind: 'resource', name: textIn(params['uri']) } : undefined
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
