import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { safeText } from './terminal/safe-text.ts'

/** What a tool, a prompt or a resource came to, as text that is safe to print; what is no text is named. */
export function resultText(result: JsonObject): string {
  const { content, contents, messages } = result
  const list = [content, contents, messages].find(Array.isArray) as readonly unknown[] | undefined
  if (list === undefined) return safeText(JSON.stringify(result, null, 2), { lines: true, maximum: Infinity })
  return list.map((item) => safeText(textOf(item), { lines: true, maximum: Infinity })).join('\n')
}

function textOf(item: unknown): string {
  if (!isJsonObject(item)) return JSON.stringify(item)
  if (isJsonObject(item['content'])) return `[${typeof item['role'] === 'string' ? item['role'] : '?'}] ${textOf(item['content'])}`
  if (typeof item['text'] === 'string') return item['text']
  const kind = typeof item['type'] === 'string' ? item['type'] : 'content'
  return typeof item['mimeType'] === 'string' ? `(${kind}, ${item['mimeType']})` : `(${kind})`
}
