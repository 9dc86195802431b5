import { parseForm } from '../../elicitation/index.ts'
import { isJsonObject, type Form, type JsonObject } from '../../protocol/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

export function listTools({ host }: Pick<CallNeeds, 'host'>): Handler<'tools/list'> {
  return async (body) => ({
    tools: (await host.listTools(body.text('server'))).map(({ name, definition }) => {
      const { title, description, inputSchema, annotations } = definition
      const schema = isJsonObject(inputSchema) ? inputSchema : {}
      return {
        name,
        title: textOrNone(title),
        description: textOrNone(description),
        inputSchema: schema,
        annotations: isJsonObject(annotations) ? annotations : undefined,
        form: formOf(schema),
      }
    }),
  })
}

/** Flat schemas are drawn as the forms of questions are; for others people write JSON. */
export function formOf(schema: JsonObject): Form | undefined {
  try {
    return parseForm(schema['properties'] === undefined ? { ...schema, properties: {} } : schema)
  } catch {
    return undefined
  }
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
