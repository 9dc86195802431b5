import { paramHeaders, readParamHeaders, type ParamHeader } from '../mcp/param-headers.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** Which arguments of which tools a server wants to see in headers too, as far as its lists of tools told. @see MCP 2026-07-28 basic/transports/streamable-http */
export class ArgumentHeaders {
  readonly #wanted = new Map<string, readonly ParamHeader[]>()

  /** @param result of `tools/list` */
  learn(result: unknown): void {
    const tools = isJsonObject(result) ? result['tools'] : undefined
    if (!Array.isArray(tools)) return
    for (const tool of tools as readonly unknown[]) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue
      const wanted = readParamHeaders(tool['inputSchema'])
      this.#wanted.set(tool['name'], typeof wanted === 'string' ? [] : wanted)
    }
  }

  /** The headers of one request. */
  of({ method, params }: JsonObject): Readonly<Record<string, string>> {
    if (method !== 'tools/call' || !isJsonObject(params) || typeof params['name'] !== 'string') return {}
    return paramHeaders(this.#wanted.get(params['name']) ?? [], params['arguments'])
  }
}
