import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { safeText } from './terminal/safe-text.ts'

/** What a server has: its tools, prompts and resources, a line each. */
export function offersText(result: JsonObject): string {
  const kinds = ['tools', 'prompts', 'resources'].map((kind) => [kind, Array.isArray(result[kind]) ? result[kind].filter(isJsonObject) : []] as const)
  return kinds.map(([kind, offers]) => [`${kind}: ${offers.length === 0 ? 'none' : offers.length}`, ...offers.map(offerLine)].join('\n')).join('\n')
}

function offerLine({ name, title, description, uri }: JsonObject): string {
  const [called = '?', ...words] = [uri, name, title, description].filter((text) => typeof text === 'string')
  return `  ${safeText([called, words.at(-1)].filter(Boolean).join('  '), { maximum: 200 })}`
}

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
