import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** What a server offers, by the member that carries it. */
export const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const

export type ListName = keyof typeof listMethods

const mostPages = 64

/**
 * Reads a whole list of a server, page by page, each entry as it came.
 *
 * Entries that are no objects are left out; a server that sends the same cursor twice, or never comes to an end, is not followed further.
 */
export async function readList(list: ListName, request: (method: string, params: JsonObject) => Promise<JsonObject>): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await request(listMethods[list], cursor === undefined ? {} : { cursor })
    const members = page[list]
    if (Array.isArray(members)) entries.push(...members.filter(isJsonObject))
    cursor = typeof page['nextCursor'] === 'string' && !seen.has(page['nextCursor']) ? page['nextCursor'] : undefined
    if (cursor !== undefined) seen.add(cursor)
  } while (cursor !== undefined && seen.size < mostPages)
  return entries
}
