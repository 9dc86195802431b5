import { ConsentryError } from '../errors.ts'
import type { ServerConnection } from '../mcp/index.ts'
import { nearestName } from '../policy/nearest-name.ts'
import { isJsonObject, isRevision, type JsonObject } from '../protocol/index.ts'

export interface WantedOptions {
  readonly tool?: string | undefined
  readonly prompt?: string | undefined
  readonly read?: string | undefined
  readonly list?: boolean | undefined
  readonly args?: string | undefined
  readonly protocol: string
}

/** What `consentry call` is to ask a server for. */
export type Wanted =
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'list' }

/** More names than these in a sentence help nobody. */
const mostNames = 40

/** @throws ConsentryError `USAGE` */
export function readWanted({ tool, prompt, read, list, args, protocol }: WantedOptions): Wanted {
  const given = [tool, prompt, read, list === true ? '' : undefined].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ConsentryError('USAGE', 'name one thing to ask for: a TOOL, --prompt NAME or --read URI; --list tells which there are')
  if (protocol !== 'auto' && !isRevision(protocol)) throw new ConsentryError('USAGE', `"${protocol}" is no revision of the protocol`)
  if (list === true) return { kind: 'list' }
  const values = args === undefined ? {} : readArguments(args)
  if (read !== undefined) return { kind: 'resource', uri: read }
  if (tool !== undefined) return { kind: 'tool', name: tool, arguments: values }
  const wrong = Object.entries(values).find(([, value]) => typeof value !== 'string')
  if (wrong) throw new ConsentryError('USAGE', `--args of a prompt are texts; "${wrong[0]}" is none`)
  return { kind: 'prompt', name: prompt!, arguments: values as Readonly<Record<string, string>> }
}

/** @throws ConsentryError see `AttachedClient.request` */
export async function askFor(connection: ServerConnection, wanted: Wanted, signal: AbortSignal): Promise<JsonObject> {
  switch (wanted.kind) {
    case 'tool':
      return connection.callTool({ name: wanted.name, arguments: wanted.arguments }, { signal })
    case 'prompt':
      return connection.getPrompt({ name: wanted.name, arguments: wanted.arguments }, { signal })
    case 'resource':
      return connection.readResource({ uri: wanted.uri }, { signal })
    case 'list': {
      const [tools, prompts, resources] = [
        await connection.list('tools', { signal }),
        await connection.list('prompts', { signal }),
        await connection.list('resources', { signal }),
      ]
      return { tools, prompts, resources }
    }
    default:
      return wanted satisfies never
  }
}

/** @returns which tools the server has, and which of them may be meant, where the one that was wanted is none of them and that could be found out */
export async function whichTools(connection: ServerConnection, wanted: Wanted, signal: AbortSignal): Promise<string | undefined> {
  if (wanted.kind !== 'tool') return undefined
  const tools = await connection.list('tools', { signal }).catch(() => undefined)
  if (tools === undefined || tools.some(({ name }) => name === wanted.name)) return undefined
  const names = tools.map(({ name }) => name).filter((name) => typeof name === 'string')
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more (--list)` : ''
  if (names.length === 0) return 'has no tools'
  const nearest = nearestName(wanted.name, names)
  const meant = nearest === undefined ? 'has' : `has no tool "${wanted.name}": is "${nearest}" meant? It has`
  return `${meant} these tools: ${names.slice(0, mostNames).join(', ')}${more}`
}

function readArguments(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ConsentryError('USAGE', `--args is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!isJsonObject(value)) throw new ConsentryError('USAGE', '--args must be a JSON object, such as {"city":"Paris"}')
  return value
}
